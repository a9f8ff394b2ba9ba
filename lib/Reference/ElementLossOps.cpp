//===- ElementLossOps.cpp - mse, kl_div, bce_with_logits ------------------===//
#include "Frame.h"
#include "Scalar.h"
#include "tt/IR/TTOps.h"

using namespace tt;
using namespace tt::reference;

/// The loss of `terms`: their sum divided by `divisor` (0 elements give 0), or
/// all of them for nullopt.
template <typename T, typename Op>
static void setLoss(Op op, const std::vector<Acc<T>> &terms,
                    std::optional<double> divisor, Frame<T> &frame) {
  Tensor<T> loss(shapeOf(op.getLoss()));
  if (!divisor) {
    for (size_t i = 0; i < terms.size(); ++i)
      loss[i] = T(terms[i]);
    return frame.set(op.getLoss(), std::move(loss));
  }
  Acc<T> sum(0);
  for (Acc<T> term : terms)
    sum += term;
  loss[0] = terms.empty() ? T(0) : T(sum / *divisor);
  frame.set(op.getLoss(), std::move(loss));
}

static std::optional<double> divisorOf(Reduction reduction, size_t count) {
  if (reduction == Reduction::None)
    return std::nullopt;
  return reduction == Reduction::Mean ? double(count) : 1.0;
}

template <typename T> static void mse(MseOp op, Frame<T> &frame) {
  const Tensor<T> &x = frame.floats(op.getInput()), &y = frame.floats(op.getTarget());
  std::vector<Acc<T>> terms;
  for (int64_t i = 0; i < x.size(); ++i) {
    Acc<T> difference = Acc<T>(x[i]) - Acc<T>(y[i]);
    terms.push_back(difference * difference);
  }
  setLoss(op, terms, divisorOf(op.getReduction(), terms.size()), frame);
}

template <typename T> static void klDiv(KlDivOp op, Frame<T> &frame) {
  const Tensor<T> &x = frame.floats(op.getInput()), &y = frame.floats(op.getTarget());
  std::vector<Acc<T>> terms;
  for (int64_t i = 0; i < x.size(); ++i) {
    Acc<T> target(y[i]), probability = op.getLogTarget() ? std::exp(target) : target;
    if (probability == Acc<T>(0)) {
      terms.push_back(Acc<T>(0));
      continue;
    }
    Acc<T> logarithm = op.getLogTarget() ? target : std::log(target);
    terms.push_back(probability * (logarithm - Acc<T>(x[i])));
  }
  std::optional<double> divisor;
  if (op.getReduction() != KlReduction::None)
    divisor = op.getReduction() == KlReduction::Mean        ? double(terms.size())
              : op.getReduction() == KlReduction::BatchMean ? double(x.shape[0])
                                                            : 1.0;
  setLoss(op, terms, divisor, frame);
}

template <typename T>
static void bceWithLogits(BceWithLogitsOp op, Frame<T> &frame) {
  const Tensor<T> &x = frame.floats(op.getLogits()), &y = frame.floats(op.getTarget());
  const Tensor<T> *weights =
      op.getPosWeight() ? &frame.floats(op.getPosWeight()) : nullptr;
  std::vector<Acc<T>> terms;
  for (int64_t i = 0; i < x.size(); ++i) {
    Acc<T> logit(x[i]), target(y[i]), one(1);
    Acc<T> weight = weights ? Acc<T>((*weights)[i % x.columns()]) : one;
    // ln(1 + e^-x) without overflow
    Acc<T> soft = realPart(logit) >= 0 ? log1pOf(std::exp(-logit))
                                       : log1pOf(std::exp(logit)) - logit;
    terms.push_back((one - target) * logit + (one + (weight - one) * target) * soft);
  }
  setLoss(op, terms, divisorOf(op.getReduction(), terms.size()), frame);
}

template <typename T> void tt::reference::addElementLossOps(OpTable<T> &table) {
  table.template add<MseOp>(mse<T>);
  table.template add<KlDivOp>(klDiv<T>);
  table.template add<BceWithLogitsOp>(bceWithLogits<T>);
}
TT_REFERENCE_INSTANTIATE(addElementLossOps)
