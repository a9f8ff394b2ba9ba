//===- TrainingOps.cpp - Optimizer and clipping ---------------------------===//
#include "Frame.h"
#include "Scalar.h"
#include "tt/IR/TTOps.h"

using namespace tt;
using namespace tt::reference;

/// In the stated order: blocks of 16384, 16 lanes, the tree 8, 4, 2, 1.
template <typename T>
static void sumSquares(SumSquaresOp op, Frame<T> &frame) {
  constexpr int64_t kBlock = 16384, kLanes = 16;
  const Tensor<T> &x = frame.floats(op.getInput());
  Acc<T> total(0);
  for (int64_t begin = 0; begin < x.size(); begin += kBlock) {
    Acc<T> lanes[kLanes] = {};
    for (int64_t i = begin; i < std::min(begin + kBlock, x.size()); ++i)
      lanes[(i - begin) % kLanes] += Acc<T>(x[i]) * Acc<T>(x[i]);
    for (int64_t half = kLanes / 2; half > 0; half /= 2)
      for (int64_t lane = 0; lane < half; ++lane)
        lanes[lane] += lanes[lane + half];
    total += lanes[0];
  }
  frame.set(op.getOutput(), Tensor<T>({}, {T(total)}));
}

template <typename T>
static void globalNorm(GlobalNormOp op, Frame<T> &frame) {
  Acc<T> sum(0);
  for (mlir::Value value : op.getSums())
    sum += Acc<T>(frame.floats(value)[0]);
  Acc<T> norm = std::sqrt(sum), clip(1);
  double maxNorm = op.getMaxNorm().convertToDouble();
  if (maxNorm != 0) {
    Acc<T> ratio = maxNorm / (norm + 1e-6);
    if (isNaN(ratio) || realPart(ratio) < 1)
      clip = ratio;
  }
  frame.set(op.getNorm(), Tensor<T>({}, {T(norm)}));
  frame.set(op.getClip(), Tensor<T>({}, {T(clip)}));
  int64_t isSkipped = !std::isfinite(float(realPart(norm)));
  frame.set(op.getSkipped(), IntTensor({}, std::vector<int64_t>{isSkipped}));
}

template <typename T> static void adamW(AdamWOp op, Frame<T> &frame) {
  using A = Acc<T>;
  Tensor<T> p = frame.floats(op.getParameter()), m = frame.floats(op.getM()),
            v = frame.floats(op.getV());
  bool valid = frame.ints(op.getStep())[0] >= 1 &&
               std::isfinite(realPart(frame.floats(op.getLearningRate())[0]));
  if (valid && frame.ints(op.getSkipped())[0] == 0) {
    const Tensor<T> &gradient = frame.floats(op.getGradient());
    A rate(frame.floats(op.getLearningRate())[0]), clip(frame.floats(op.getClip())[0]);
    double beta1 = op.getBeta1().convertToDouble();
    double beta2 = op.getBeta2().convertToDouble();
    double eps = op.getEps().convertToDouble();
    double decay = op.getWeightDecay().convertToDouble();
    double step = double(frame.ints(op.getStep())[0]);
    double correction1 = 1 - std::pow(beta1, step);
    double correction2 = 1 - std::pow(beta2, step);
    for (int64_t i = 0; i < p.size(); ++i) {
      A g = A(gradient[i]) * clip;
      A decayed = A(p[i]) - rate * decay * A(p[i]);
      A newM = beta1 * A(m[i]) + (1 - beta1) * g;
      A newV = beta2 * A(v[i]) + (1 - beta2) * g * g;
      A denominator = std::sqrt(newV) / std::sqrt(correction2) + eps;
      p[i] = T(decayed - rate / correction1 * newM / denominator);
      m[i] = T(newM);
      v[i] = T(newV);
    }
  }
  frame.set(op.getNewParameter(), std::move(p));
  frame.set(op.getNewM(), std::move(m));
  frame.set(op.getNewV(), std::move(v));
}

template <typename T> void tt::reference::addTrainingOps(OpTable<T> &table) {
  table.template add<SumSquaresOp>(sumSquares<T>);
  table.template add<GlobalNormOp>(globalNorm<T>);
  table.template add<AdamWOp>(adamW<T>);
}
TT_REFERENCE_INSTANTIATE(addTrainingOps)
