//===- LossOps.cpp - Losses -----------------------------------------------===//
#include "Frame.h"
#include "Scalar.h"
#include "tt/IR/TTOps.h"

#include <limits>

using namespace tt;
using namespace tt::reference;

/// ln sum e^x over a row; -inf for an empty one.
template <typename T> static Acc<T> logSumExp(const T *x, int64_t count) {
  double largest = -std::numeric_limits<double>::infinity();
  for (int64_t i = 0; i < count; ++i)
    largest = std::isnan(largest) || isNaN(x[i])
                  ? std::numeric_limits<double>::quiet_NaN()
                  : std::max(largest, realPart(x[i]));
  if (!std::isfinite(largest))
    return Acc<T>(largest);
  Acc<T> sum(0);
  for (int64_t i = 0; i < count; ++i)
    sum += std::exp(Acc<T>(x[i]) - largest);
  return std::log(sum) + largest;
}

/// True for the targets of rows that count.
static bool isCounted(int64_t target, int64_t classes, int64_t ignored) {
  return target != ignored && target >= 0 && target < classes;
}

static int64_t countRows(const IntTensor &targets, int64_t classes,
                         int64_t ignored) {
  return llvm::count_if(targets.data, [&](int64_t target) {
    return isCounted(target, classes, ignored);
  });
}

/// Under Options::strictIndices a target is a class or the ignored index.
template <typename T, typename Op>
static bool checkTargets(Op op, const IntTensor &targets, int64_t classes,
                         Frame<T> &frame) {
  if (!frame.options.strictIndices)
    return true;
  for (int64_t i = 0; i < targets.size(); ++i)
    if (int64_t target = targets[i];
        !isCounted(target, classes, op.getIgnoreIndex()) &&
        target != int64_t(op.getIgnoreIndex())) {
      frame.fail(op, "expected targets in [0, " + llvm::Twine(classes) + ") or " +
                         llvm::Twine(int64_t(op.getIgnoreIndex())) +
                         ", but got " + llvm::Twine(target) + " at position " +
                         llvm::Twine(i));
      return false;
    }
  return true;
}

template <typename T>
static void crossEntropy(CrossEntropyOp op, Frame<T> &frame) {
  const Tensor<T> &logits = frame.floats(op.getLogits());
  const IntTensor &targets = frame.ints(op.getTargets());
  int64_t classes = logits.columns(), ignored = op.getIgnoreIndex();
  if (!checkTargets(op, targets, classes, frame))
    return;
  Tensor<T> lse(targets.shape), losses(targets.shape);
  Acc<T> total(0);
  for (int64_t row = 0; row < targets.size(); ++row) {
    Acc<T> rowLse = logSumExp(logits.row(row), classes);
    lse[row] = T(rowLse);
    if (!isCounted(targets[row], classes, ignored))
      continue;
    Acc<T> loss = rowLse - Acc<T>(logits.row(row)[targets[row]]);
    losses[row] = T(loss);
    total += loss;
  }
  frame.set(op.getLse(), std::move(lse));
  if (op.getReduction() == Reduction::None)
    return frame.set(op.getLoss(), std::move(losses));
  int64_t counted = countRows(targets, classes, ignored);
  if (op.getReduction() == Reduction::Mean && counted > 0)
    total /= double(counted);
  frame.set(op.getLoss(), Tensor<T>({}, {T(total)}));
}

template <typename T>
static void crossEntropyBwd(CrossEntropyBwdOp op, Frame<T> &frame) {
  const Tensor<T> &logits = frame.floats(op.getLogits());
  const Tensor<T> &lse = frame.floats(op.getLse());
  const Tensor<T> &dLoss = frame.floats(op.getDLoss());
  const IntTensor &targets = frame.ints(op.getTargets());
  int64_t classes = logits.columns(), ignored = op.getIgnoreIndex();
  if (!checkTargets(op, targets, classes, frame))
    return;
  int64_t counted = countRows(targets, classes, ignored);
  Tensor<T> result(logits.shape);
  for (int64_t row = 0; row < targets.size(); ++row) {
    if (!isCounted(targets[row], classes, ignored))
      continue;
    bool perRow = op.getReduction() == Reduction::None;
    Acc<T> weight(dLoss[perRow ? row : 0]);
    if (op.getReduction() == Reduction::Mean)
      weight /= double(counted);
    for (int64_t c = 0; c < classes; ++c) {
      Acc<T> p = std::exp(Acc<T>(logits.row(row)[c]) - Acc<T>(lse[row]));
      double oneHot = c == targets[row] ? 1 : 0;
      result.row(row)[c] = T((p - oneHot) * weight);
    }
  }
  frame.set(op.getDLogits(), std::move(result));
}

template <typename T> void tt::reference::addLossOps(OpTable<T> &table) {
  table.template add<CrossEntropyOp>(crossEntropy<T>);
  table.template add<CrossEntropyBwdOp>(crossEntropyBwd<T>);
}
TT_REFERENCE_INSTANTIATE(addLossOps)
