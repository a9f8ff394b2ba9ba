//===- CompiledGraph.h - A training library beside its truth ----*- C++ -*-===//
//
// For relations between compiled results: a graph is compiled as a user would have it,
// and the interpreter says how far rounding can move its loss and gradients.
//
//===----------------------------------------------------------------------===//
#ifndef TT_TEST_METAMORPHIC_COMPILEDGRAPH_H
#define TT_TEST_METAMORPHIC_COMPILEDGRAPH_H

#include "../../Common/TemporaryDirectory.h"

#include "tt/Check/ErrorBound.h"
#include "tt/Check/LibraryRun.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <string>

namespace tt::test {

/// By the names of parameters and inputs, or of an entry's outputs.
using NamedValues = std::map<std::string, check::HostTensor>;

class CompiledGraph {
public:
  /// `text` is a module with @loss. Failures are those of the test that asks.
  CompiledGraph(mlir::MLIRContext &context, const std::string &text);

  /// Values for all parameters: of a norm's gain around 1, else in [-0.4, 0.4], rounded
  /// to f32; and step and seed. They follow from the order of parameters, which graphs of
  /// one model share.
  NamedValues drawParameters(uint64_t seed);

  /// "loss" and "grad:NAME" of compiled code.
  NamedValues gradients(const NamedValues &values);
  /// The row of logits of each sample at a position.
  check::HostTensor logits(const NamedValues &values, int64_t position);
  /// What the interpreter says in f64, and what rounding does to it, by output.
  std::map<std::string, check::Expectation> expected(const NamedValues &values);

private:
  NamedValues call(const std::string &entry, const NamedValues &values);

  TemporaryDirectory directory;
  mlir::OwningOpRef<mlir::ModuleOp> training; // with @grad
  mlir::func::FuncOp grad;
  std::unique_ptr<check::LibraryRun> library;
};

/// The same bits. The sign of a zero is none of them: 0 + -0 is 0.
void expectSameBits(const NamedValues &found, const NamedValues &wanted);

/// Compiled `found` is as near to compiled `wanted` as `expected`, of the one or the
/// other, lets compiled code be to the truth. Both are off by their own rounding, which
/// the factors of the bound have room for (tt/Check/ErrorBound.h). Returns the number of
/// outputs that are not.
unsigned countApart(const NamedValues &found, const NamedValues &wanted,
                    const std::map<std::string, check::Expectation> &expected,
                    std::string &text);
void expectNear(const NamedValues &found, const NamedValues &wanted,
                const std::map<std::string, check::Expectation> &expected);

/// Integers of a shape.
check::HostTensor integers(std::vector<int64_t> shape, std::vector<int64_t> values);

} // namespace tt::test

#endif
