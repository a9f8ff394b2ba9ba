//===- AttentionBwdOps.cpp - Adjoint of attention -------------------------===//
#include "AttentionScores.h"
#include "tt/IR/TTOps.h"

using namespace tt;
using namespace tt::reference;

template <typename T>
static Tensor<T> narrowed(const Tensor<Acc<T>> &wide) {
  Tensor<T> result(wide.shape);
  for (int64_t i = 0; i < result.size(); ++i)
    result[i] = T(wide[i]);
  return result;
}

template <typename T>
static void attentionBwd(AttentionBwdOp op, Frame<T> &frame) {
  using A = Acc<T>;
  AttentionScores<T, AttentionBwdOp> s(op, frame);
  const Tensor<T> &output = frame.floats(op.getOutput());
  const Tensor<T> &lse = frame.floats(op.getLse());
  const Tensor<T> &dOutput = frame.floats(op.getDOutput());
  const Tensor<T> *dLse = op.getDLse() ? &frame.floats(op.getDLse()) : nullptr;
  Tensor<A> dq(s.q.shape), dk(s.k.shape), dv(s.v.shape);
  Tensor<A> dBias(s.bias ? s.bias->shape : Shape{});
  auto row = [&](int64_t b, int64_t h, int64_t i) {
    int64_t query = s.queryAt(b, h, i), stat = (b * s.heads + h) * s.queries + i;
    A rowLse(lse[stat]), delta = dLse ? -A((*dLse)[stat]) : A(0);
    for (int64_t d = 0; d < s.width; ++d)
      delta += A(dOutput[query + d]) * A(output[query + d]);
    for (int64_t j = 0; j < s.keys; ++j) {
      if (!s.isVisible(b, h, i, j))
        continue;
      int64_t key = s.keyAt(b, h, j);
      A factor(s.dropFactor(b, h, i, j));
      A p = std::exp(s.score(b, h, i, j) - rowLse), dp(0);
      for (int64_t d = 0; d < s.width; ++d) {
        dp += A(dOutput[query + d]) * A(s.v[key + d]);
        dv[key + d] += p * factor * A(dOutput[query + d]);
      }
      A ds = p * (dp * factor - delta);
      if (s.bias)
        dBias[s.biasAt(b, h, i, j)] += ds;
      ds = ds * s.slopeOfScore(b, h, i, j) * s.scale;
      for (int64_t d = 0; d < s.width; ++d) {
        dq[query + d] += ds * A(s.k[key + d]);
        dk[key + d] += ds * A(s.q[query + d]);
      }
    }
  };
  for (int64_t b = 0; b < s.batches; ++b)
    for (int64_t h = 0; h < s.heads; ++h)
      for (int64_t i = 0; i < s.queries; ++i)
        row(b, h, i);
  frame.set(op.getDq(), narrowed<T>(dq));
  frame.set(op.getDk(), narrowed<T>(dk));
  frame.set(op.getDv(), narrowed<T>(dv));
  if (op.getDBias())
    frame.set(op.getDBias(), narrowed<T>(dBias));
}

template <typename T> void tt::reference::addAttentionBwdOps(OpTable<T> &table) {
  table.template add<AttentionBwdOp>(attentionBwd<T>);
}
TT_REFERENCE_INSTANTIATE(addAttentionBwdOps)
