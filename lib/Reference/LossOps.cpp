//===- LossOps.cpp - Losses -----------------------------------------------===//
#include "Frame.h"
#include "Scalar.h"
#include "tt/IR/LossEmit.h"
#include "tt/IR/TTOps.h"

#include "mlir/IR/TypeUtilities.h"

#include <limits>

using namespace tt;
using namespace tt::reference;

namespace {
/// ln sum e^x over a row, in two parts: a large sum would not hold the digits of the
/// logarithm. Differences with x are taken below the largest x.
template <typename T> struct LogSumExp {
  double largest = -std::numeric_limits<double>::infinity();
  Acc<T> ofPowers = Acc<T>(0); ///< ln sum e^(x - largest); 0 if largest is not finite

  template <typename X> LogSumExp(const X *x, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      largest = std::isnan(largest) || isNaN(x[i])
                    ? std::numeric_limits<double>::quiet_NaN()
                    : std::max(largest, realPart(x[i]));
    if (!std::isfinite(largest))
      return;
    Acc<T> sum(0);
    for (int64_t i = 0; i < count; ++i)
      sum += std::exp(Acc<T>(x[i]) - largest);
    ofPowers = std::log(sum);
  }
  Acc<T> whole() const { return ofPowers + largest; }
  /// whole() - x
  template <typename X> Acc<T> less(X x) const { return ofPowers - (Acc<T>(x) - largest); }

  /// This with the whole of a residual: what rounding to its type took from it is not
  /// felt, as in compiled code; any other number is meant, and so are derivatives.
  LogSumExp given(Acc<T> lse, mlir::Type element) const {
    double bound = element.isF64() ? 0x1p-49 : kRoundedLse;
    LogSumExp result = *this;
    if (!std::isfinite(largest)) {
      result.largest = 0;
      result.ofPowers = lse;
      return result;
    }
    result.ofPowers = lse - largest;
    double off = realPart(ofPowers - result.ofPowers);
    if (std::fabs(off) <= bound * std::fabs(realPart(lse)))
      result.ofPowers += off;
    return result;
  }
};
} // namespace

/// True for the targets of rows that count.
static bool isCounted(int64_t target, int64_t classes, int64_t ignored) {
  return target != ignored && target >= 0 && target < classes;
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

namespace {
/// The weights and factors of a cross-entropy's rows.
template <typename T> struct RowTerms {
  int64_t classes, ignored;
  double smoothing = 0, zLoss = 0;
  const Tensor<T> *weights = nullptr;

  Acc<T> weightSum = Acc<T>(0); ///< s/V times the sum of all weights

  template <typename Op>
  RowTerms(Op op, int64_t classes, mlir::Value classWeights, Frame<T> &frame)
      : classes(classes), ignored(op.getIgnoreIndex()),
        smoothing(op.getLabelSmoothing().convertToDouble()),
        zLoss(op.getZLoss().convertToDouble()),
        weights(classWeights ? &frame.floats(classWeights) : nullptr) {
    for (int64_t c = 0; smoothing != 0 && c < classes; ++c)
      weightSum += smoothing / double(classes) * weight(c);
  }

  Acc<T> weight(int64_t c) const { return weights ? Acc<T>((*weights)[c]) : Acc<T>(1); }
  bool counts(int64_t target) const { return isCounted(target, classes, ignored); }

  /// What the mean divides by: the sum of w[t], 1 if it is 0.
  Acc<T> divisor(const IntTensor &targets) const {
    Acc<T> sum(0);
    for (int64_t target : targets.data)
      if (counts(target))
        sum += weight(target);
    return sum == Acc<T>(0) ? Acc<T>(1) : sum;
  }
  template <typename X>
  Acc<T> loss(const X *x, int64_t target, const LogSumExp<T> &lse) const {
    Acc<T> l = (1 - smoothing) * weight(target) * lse.less(x[target]);
    if (smoothing != 0)
      for (int64_t c = 0; c < classes; ++c)
        l += smoothing / double(classes) * weight(c) * lse.less(x[c]);
    return zLoss != 0 ? l + zLoss * weight(target) * lse.whole() * lse.whole() : l;
  }
  /// d loss / d x[c], with p the softmax at c.
  Acc<T> slope(int64_t c, int64_t target, Acc<T> p, Acc<T> lse) const {
    Acc<T> hit(c == target ? 1 : 0);
    Acc<T> d = (1 - smoothing) * weight(target) * (p - hit);
    if (smoothing != 0)
      d += weightSum * p - smoothing / double(classes) * weight(c);
    return zLoss != 0 ? d + 2.0 * zLoss * weight(target) * lse * p : d;
  }
};
} // namespace

/// Sets both results of a cross-entropy: rowLse(row) is the lse of a row's logits,
/// rowLoss(row, lse) what a counted row adds.
template <typename T, typename Op, typename Lse, typename Loss>
static void setLosses(Op op, const IntTensor &targets, const RowTerms<T> &terms,
                      Lse rowLse, Loss rowLoss, Frame<T> &frame) {
  Tensor<T> lse(targets.shape), losses(targets.shape);
  Acc<T> total(0);
  for (int64_t row = 0; row < targets.size(); ++row) {
    LogSumExp<T> ofRow = rowLse(row);
    lse[row] = T(ofRow.whole());
    if (!terms.counts(targets[row]))
      continue;
    Acc<T> loss = rowLoss(row, ofRow);
    losses[row] = T(loss);
    total += loss;
  }
  frame.set(op.getLse(), std::move(lse));
  if (op.getReduction() == Reduction::None)
    return frame.set(op.getLoss(), std::move(losses));
  if (op.getReduction() == Reduction::Mean)
    total /= terms.divisor(targets);
  frame.set(op.getLoss(), Tensor<T>({}, {T(total)}));
}

template <typename T>
static void crossEntropy(CrossEntropyOp op, Frame<T> &frame) {
  const Tensor<T> &logits = frame.floats(op.getLogits());
  const IntTensor &targets = frame.ints(op.getTargets());
  int64_t classes = logits.columns();
  if (!checkTargets(op, targets, classes, frame))
    return;
  RowTerms<T> terms(op, classes, op.getWeights(), frame);
  setLosses(
      op, targets, terms,
      [&](int64_t row) { return LogSumExp<T>(logits.row(row), classes); },
      [&](int64_t row, const LogSumExp<T> &lse) {
        return terms.loss(logits.row(row), targets[row], lse);
      },
      frame);
}

template <typename T>
static void crossEntropyBwd(CrossEntropyBwdOp op, Frame<T> &frame) {
  const Tensor<T> &logits = frame.floats(op.getLogits());
  const Tensor<T> &lse = frame.floats(op.getLse());
  const Tensor<T> &dLoss = frame.floats(op.getDLoss());
  const IntTensor &targets = frame.ints(op.getTargets());
  int64_t classes = logits.columns();
  if (!checkTargets(op, targets, classes, frame))
    return;
  RowTerms<T> terms(op, classes, op.getWeights(), frame);
  mlir::Type stat = mlir::getElementTypeOrSelf(op.getLse().getType());
  Tensor<T> result(logits.shape);
  for (int64_t row = 0; row < targets.size(); ++row) {
    if (!terms.counts(targets[row]))
      continue;
    bool perRow = op.getReduction() == Reduction::None;
    Acc<T> share(dLoss[perRow ? row : 0]);
    if (op.getReduction() == Reduction::Mean)
      share /= terms.divisor(targets);
    auto ofRow = LogSumExp<T>(logits.row(row), classes).given(Acc<T>(lse[row]), stat);
    for (int64_t c = 0; c < classes; ++c) {
      Acc<T> p = std::exp(-ofRow.less(logits.row(row)[c]));
      result.row(row)[c] = T(terms.slope(c, targets[row], p, Acc<T>(lse[row])) * share);
    }
  }
  frame.set(op.getDLogits(), std::move(result));
}

//===----------------------------------------------------------------------===//
// linear_cross_entropy
//===----------------------------------------------------------------------===//

namespace {
/// The logits of one row of hidden W, and products with W.
template <typename T> struct Head {
  const Tensor<T> &hidden, &weight;
  const Tensor<T> *bias; // may be null
  bool inOut;
  int64_t width, classes;

  template <typename Op>
  Head(Op op, Frame<T> &frame)
      : hidden(frame.floats(op.getHidden())), weight(frame.floats(op.getWeight())),
        bias(op.getBias() ? &frame.floats(op.getBias()) : nullptr),
        inOut(op.getLayout() == WeightLayout::InOut), width(hidden.columns()),
        classes(weight.shape[inOut ? 1 : 0]) {}

  int64_t at(int64_t k, int64_t c) const { return inOut ? k * classes + c : c * width + k; }
  std::vector<Acc<T>> logits(int64_t row) const {
    std::vector<Acc<T>> z(classes, Acc<T>(0));
    for (int64_t c = 0; c < classes; ++c) {
      for (int64_t k = 0; k < width; ++k)
        z[c] += Acc<T>(hidden.row(row)[k]) * Acc<T>(weight[at(k, c)]);
      if (bias)
        z[c] += Acc<T>((*bias)[c]);
    }
    return z;
  }
};
} // namespace

template <typename T>
static void linearCrossEntropy(LinearCrossEntropyOp op, Frame<T> &frame) {
  Head<T> head(op, frame);
  const IntTensor &targets = frame.ints(op.getTargets());
  if (!checkTargets(op, targets, head.classes, frame))
    return;
  RowTerms<T> terms(op, head.classes, op.getClassWeights(), frame);
  std::vector<Acc<T>> z; // logits of the row at hand
  setLosses(
      op, targets, terms,
      [&](int64_t row) {
        z = head.logits(row);
        return LogSumExp<T>(z.data(), head.classes);
      },
      [&](int64_t row, const LogSumExp<T> &lse) {
        return terms.loss(z.data(), targets[row], lse);
      },
      frame);
}

template <typename T>
static void linearCrossEntropyBwd(LinearCrossEntropyBwdOp op, Frame<T> &frame) {
  Head<T> head(op, frame);
  const IntTensor &targets = frame.ints(op.getTargets());
  const Tensor<T> &lse = frame.floats(op.getLse());
  const Tensor<T> &dLoss = frame.floats(op.getDLoss());
  const Tensor<T> *dLse = op.getDLse() ? &frame.floats(op.getDLse()) : nullptr;
  if (!checkTargets(op, targets, head.classes, frame))
    return;
  RowTerms<T> terms(op, head.classes, op.getClassWeights(), frame);
  mlir::Type stat = mlir::getElementTypeOrSelf(op.getLse().getType());
  Tensor<T> dHidden(head.hidden.shape);
  std::vector<Acc<T>> dWeight(head.weight.size(), Acc<T>(0));
  std::vector<Acc<T>> dBias(head.classes, Acc<T>(0));
  for (int64_t row = 0; row < targets.size(); ++row) {
    std::vector<Acc<T>> z = head.logits(row), sums(head.width, Acc<T>(0));
    Acc<T> share(dLoss[op.getReduction() == Reduction::None ? row : 0]);
    if (op.getReduction() == Reduction::Mean)
      share /= terms.divisor(targets);
    auto ofRow = LogSumExp<T>(z.data(), head.classes).given(Acc<T>(lse[row]), stat);
    for (int64_t c = 0; c < head.classes; ++c) {
      Acc<T> p = std::exp(-ofRow.less(z[c])), d(0);
      if (terms.counts(targets[row]))
        d = terms.slope(c, targets[row], p, Acc<T>(lse[row])) * share;
      if (dLse)
        d += p * Acc<T>((*dLse)[row]);
      dBias[c] += d;
      for (int64_t k = 0; k < head.width; ++k) {
        sums[k] += d * Acc<T>(head.weight[head.at(k, c)]);
        dWeight[head.at(k, c)] += d * Acc<T>(head.hidden.row(row)[k]);
      }
    }
    for (int64_t k = 0; k < head.width; ++k)
      dHidden.row(row)[k] = T(sums[k]);
  }
  auto rounded = [](const std::vector<Acc<T>> &sums, const Shape &shape) {
    Tensor<T> result(shape);
    for (int64_t i = 0; i < result.size(); ++i)
      result[i] = T(sums[i]);
    return result;
  };
  frame.set(op.getDHidden(), std::move(dHidden));
  frame.set(op.getDWeight(), rounded(dWeight, head.weight.shape));
  if (op.getDBias())
    frame.set(op.getDBias(), rounded(dBias, head.bias->shape));
}

template <typename T> void tt::reference::addLossOps(OpTable<T> &table) {
  table.template add<CrossEntropyOp>(crossEntropy<T>);
  table.template add<CrossEntropyBwdOp>(crossEntropyBwd<T>);
  table.template add<LinearCrossEntropyOp>(linearCrossEntropy<T>);
  table.template add<LinearCrossEntropyBwdOp>(linearCrossEntropyBwd<T>);
}
TT_REFERENCE_INSTANTIATE(addLossOps)
