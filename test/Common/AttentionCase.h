//===- AttentionCase.h - One form of tt.attention for tests -----*- C++ -*-===//
//
// A shape and any combination of features, as text of the op and its adjoint and
// as inputs. Numbers, tiling and kernels are tested with the same cases.
//
//===----------------------------------------------------------------------===//
#ifndef TT_TEST_COMMON_ATTENTIONCASE_H
#define TT_TEST_COMMON_ATTENTIONCASE_H

#include "tt/Reference/RandomInputs.h"

#include <string>
#include <utility>
#include <vector>

namespace tt::test {

struct AttentionCase {
  int64_t batch = 2, heads = 2, keyHeads = 1, queries = 5, keys = 5, headSize = 3;
  bool causal = false;
  int64_t left = -1, right = -1, prefix = 0; // -1: no window
  double softcap = 0, dropout = 0;
  bool segments = false, slopes = false, sinks = false;
  /// Empty, or "full", "heads", "batches", "one": what a bias is one of.
  std::string bias;
  bool biasHides = false; // some elements are -inf
  int64_t blockQ = 0, blockK = 0;
  std::string element = "f64";

  using Operands = std::vector<std::pair<std::string, std::string>>; // name, type

  std::string tensor(const std::vector<int64_t> &shape, const std::string &of) const;
  std::string q() const { return tensor({batch, heads, queries, headSize}, element); }
  std::string k() const { return tensor({batch, keyHeads, keys, headSize}, element); }
  std::string lse() const {
    return tensor({batch, heads, queries}, element == "f64" ? "f64" : "f32");
  }
  std::string biasType() const;

  /// q, k, v and the mask's operands, in the order of the op.
  Operands operands() const;
  /// What the adjoint has besides: output, lse, d_output, d_lse.
  Operands adjointOperands() const;
  /// "%o, %l = tt.attention ..." on operands of these names.
  std::string forwardOp() const;
  /// "%dq, %dk, %dv[, %db] = tt.attention_bwd ..."
  std::string adjointOp() const;
  /// func.func @f of the operands that returns output and, if wanted, lse.
  std::string forward(bool returnLse = true) const;
  /// func.func @f of the operands of both that returns dq, dk, dv[, d_bias].
  std::string adjoint() const;
  /// The same as a tt.kernel.
  std::string forwardKernel(const std::string &schedule = "{}") const;
  std::string adjointKernel(const std::string &schedule = "{}") const;

  /// Inputs of `forward`. Segments are those of packed documents, and a query
  /// has that of the key at its place, so that few rows are dead.
  std::vector<reference::AnyTensor<double>> inputs(reference::Random &random) const;
  /// A tensor with the shape of the output, or of lse.
  reference::Tensor<double> likeOutput(reference::Random &random) const;
  reference::Tensor<double> likeLse(reference::Random &random) const;

  /// Letters, digits and underscores.
  std::string name() const;

  /// Each sets one feature, in a way that agrees with the others.
  static const std::vector<void (*)(AttentionCase &)> &features();
  /// A random combination.
  static AttentionCase random(reference::Random &random);
  static std::string list(const Operands &operands, bool types);

private:
  std::string maskOperands() const;
  std::string attributes() const;
};

} // namespace tt::test

#endif // TT_TEST_COMMON_ATTENTIONCASE_H
