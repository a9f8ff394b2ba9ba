//===- AttentionScores.h - Scores and masks of attention --------*- C++ -*-===//
#ifndef TT_LIB_REFERENCE_ATTENTIONSCORES_H
#define TT_LIB_REFERENCE_ATTENTIONSCORES_H

#include "Frame.h"
#include "Philox.h"
#include "Scalar.h"

#include <cmath>
#include <limits>
#include <optional>

namespace tt::reference {

/// One attention op's operands, its score of a query and a key, and which
/// pairs see each other. Op is tt.attention or tt.attention_bwd.
template <typename T, typename Op> class AttentionScores {
public:
  using A = Acc<T>;

  AttentionScores(Op op, Frame<T> &frame)
      : q(frame.floats(op.getQ())), k(frame.floats(op.getK())),
        v(frame.floats(op.getV())), batches(q.shape[0]), heads(q.shape[1]),
        keyHeads(k.shape[1]), queries(q.shape[2]), keys(k.shape[2]),
        width(q.shape[3]), scale(op.getScale().convertToDouble()),
        cap(op.getSoftcap() ? op.getSoftcap()->convertToDouble() : 0),
        qSegments(intsOrNull(op.getQSegments(), frame)),
        kSegments(intsOrNull(op.getKSegments(), frame)),
        slopes(floatsOrNull(op.getSlopes(), frame)),
        bias(floatsOrNull(op.getBias(), frame)),
        sinks(floatsOrNull(op.getSinks(), frame)), causal(op.getCausal()),
        prefix(op.getPrefix() ? int64_t(*op.getPrefix()) : 0),
        windowLeft(op.getWindowLeft() ? int64_t(*op.getWindowLeft()) : kNone),
        windowRight(op.getWindowRight() ? int64_t(*op.getWindowRight()) : kNone) {
    if (!op.getDropoutP() || op.getDropoutP()->isZero())
      return;
    const IntTensor &key = frame.ints(op.getKey());
    dropout = DropoutMask{low(key[0]), low(key[1]), *op.getSite(),
                          op.getDropoutP()->convertToDouble()};
  }

  /// The vector of width elements of query i, of key or value j as seen by
  /// query head h.
  int64_t queryAt(int64_t b, int64_t h, int64_t i) const {
    return ((b * heads + h) * queries + i) * width;
  }
  int64_t keyAt(int64_t b, int64_t h, int64_t j) const {
    return ((b * keyHeads + h / (heads / keyHeads)) * keys + j) * width;
  }

  int64_t biasAt(int64_t b, int64_t h, int64_t i, int64_t j) const {
    const Shape &s = bias->shape;
    int64_t batch = s[0] == 1 ? 0 : b, head = s[1] == 1 ? 0 : h;
    return ((batch * s[1] + head) * queries + i) * keys + j;
  }

  /// A bias of -inf hides a key as the masks do.
  bool isVisible(int64_t b, int64_t h, int64_t i, int64_t j) const {
    int64_t last = i + keys - queries; // bottom-right alignment
    if (qSegments && (*qSegments)[b * queries + i] != (*kSegments)[b * keys + j])
      return false;
    if (bias && realPart((*bias)[biasAt(b, h, i, j)]) ==
                    -std::numeric_limits<double>::infinity())
      return false;
    if (j < prefix)
      return true;
    if (causal && j > last)
      return false;
    return last - j <= windowLeft && j - last <= windowRight;
  }

  /// What dropout multiplies a probability by.
  double dropFactor(int64_t b, int64_t h, int64_t i, int64_t j) const {
    if (!dropout)
      return 1;
    return dropout->keeps(b, (h * queries + i) * keys + j) ? 1 / (1 - dropout->p) : 0;
  }

  /// scale * q k.
  A scaled(int64_t b, int64_t h, int64_t i, int64_t j) const {
    A sum(0);
    for (int64_t d = 0; d < width; ++d)
      sum += A(q[queryAt(b, h, i) + d]) * A(k[keyAt(b, h, j) + d]);
    return scale * sum;
  }
  /// The score before the mask.
  A score(int64_t b, int64_t h, int64_t i, int64_t j) const {
    A s = scaled(b, h, i, j);
    if (cap != 0)
      s = cap * std::tanh(s / cap);
    if (bias)
      s += A((*bias)[biasAt(b, h, i, j)]);
    if (slopes)
      s -= A((*slopes)[h]) * double(std::abs(i + keys - queries - j));
    return s;
  }
  /// d score / d scaled.
  A slopeOfScore(int64_t b, int64_t h, int64_t i, int64_t j) const {
    if (cap == 0)
      return A(1);
    return tanhSlope(scaled(b, h, i, j) / cap);
  }

  const Tensor<T> &q, &k, &v;
  int64_t batches, heads, keyHeads, queries, keys, width;
  double scale, cap;
  const IntTensor *qSegments, *kSegments;
  const Tensor<T> *slopes, *bias, *sinks;

private:
  static constexpr int64_t kNone = int64_t(1) << 62;
  bool causal;
  int64_t prefix, windowLeft, windowRight;
  std::optional<DropoutMask> dropout;

  static const IntTensor *intsOrNull(mlir::Value value, Frame<T> &frame) {
    return value ? &frame.ints(value) : nullptr;
  }
  static const Tensor<T> *floatsOrNull(mlir::Value value, Frame<T> &frame) {
    return value ? &frame.floats(value) : nullptr;
  }
};

} // namespace tt::reference

#endif
