//===- AttentionOps.cpp - Attention ---------------------------------------===//
#include "AttentionScores.h"
#include "tt/IR/TTOps.h"

#include <limits>

using namespace tt;
using namespace tt::reference;

template <typename T> static void attention(AttentionOp op, Frame<T> &frame) {
  using A = Acc<T>;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  AttentionScores<T, AttentionOp> s(op, frame);
  Tensor<T> output(s.q.shape), lse(shapeOf(op.getLse()), T(-kInfinity));
  std::vector<A> scores(s.keys), sums(s.width);
  auto row = [&](int64_t b, int64_t h, int64_t i) {
    double largest = s.sinks ? realPart((*s.sinks)[h]) : -kInfinity;
    bool seesKey = false;
    for (int64_t j = 0; j < s.keys; ++j)
      if (s.isVisible(b, h, i, j)) {
        scores[j] = s.score(b, h, i, j);
        largest = seesKey || s.sinks ? std::max(largest, realPart(scores[j]))
                                     : realPart(scores[j]);
        seesKey = true;
      }
    if (!seesKey)
      return; // output 0, lse -inf
    A total = s.sinks ? std::exp(A((*s.sinks)[h]) - largest) : A(0);
    sums.assign(s.width, A(0));
    for (int64_t j = 0; j < s.keys; ++j) {
      if (!s.isVisible(b, h, i, j))
        continue;
      A power = std::exp(scores[j] - largest);
      A dropped = power * s.dropFactor(b, h, i, j);
      total += power; // dropout comes after the softmax
      for (int64_t d = 0; d < s.width; ++d)
        sums[d] += dropped * A(s.v[s.keyAt(b, h, j) + d]);
    }
    for (int64_t d = 0; d < s.width; ++d)
      output[s.queryAt(b, h, i) + d] = T(sums[d] / total);
    lse[(b * s.heads + h) * s.queries + i] = T(std::log(total) + largest);
  };
  for (int64_t b = 0; b < s.batches; ++b)
    for (int64_t h = 0; h < s.heads; ++h)
      for (int64_t i = 0; i < s.queries; ++i)
        row(b, h, i);
  frame.set(op.getOutput(), std::move(output));
  frame.set(op.getLse(), std::move(lse));
}

template <typename T> void tt::reference::addAttentionOps(OpTable<T> &table) {
  table.template add<AttentionOp>(attention<T>);
}
TT_REFERENCE_INSTANTIATE(addAttentionOps)
