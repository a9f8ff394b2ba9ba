//===- ReduceOps.cpp - Reductions and softmax -----------------------------===//
#include "Frame.h"
#include "Indexing.h"
#include "Scalar.h"
#include "tt/IR/TTOps.h"

using namespace tt;
using namespace tt::reference;

/// Sums over `dims`, which disappear.
template <typename T>
static Tensor<Acc<T>> sumOver(const Tensor<T> &x, llvm::ArrayRef<int64_t> dims,
                              const Shape &shape) {
  Tensor<Acc<T>> sums(shape);
  forEachIndex(x.shape, [&](llvm::ArrayRef<int64_t> index, int64_t i) {
    int64_t at = 0;
    for (size_t d = 0; d < x.shape.size(); ++d)
      if (!llvm::is_contained(dims, int64_t(d))) // checked: maxElements
        at = at * x.shape[d] + index[d];
    sums[at] += Acc<T>(x[i]);
  });
  return sums;
}

template <typename T, typename Op>
static void reduce(Op op, double divisor, Frame<T> &frame) {
  Tensor<Acc<T>> sums = sumOver(frame.floats(op.getInput()), op.getDims(),
                                shapeOf(op.getOutput()));
  Tensor<T> result(sums.shape);
  for (int64_t i = 0; i < result.size(); ++i)
    result[i] = T(sums[i] / divisor);
  frame.set(op.getOutput(), std::move(result));
}

/// True if x takes the place of the maximum so far: NaN above all.
static bool isAbove(double x, double best) {
  return !std::isnan(best) && (std::isnan(x) || x > best);
}

template <typename T> static void softmax(SoftmaxOp op, Frame<T> &frame) {
  const Tensor<T> &x = frame.floats(op.getInput());
  Tensor<T> result(x.shape);
  std::vector<Acc<T>> powers(x.columns());
  for (int64_t row = 0; row < x.rows(); ++row) {
    double largest = realPart(x.row(row)[0]);
    for (int64_t c = 1; c < x.columns(); ++c)
      if (isAbove(realPart(x.row(row)[c]), largest))
        largest = realPart(x.row(row)[c]);
    Acc<T> sum(0);
    for (int64_t c = 0; c < x.columns(); ++c)
      sum += powers[c] = std::exp(Acc<T>(x.row(row)[c]) - largest);
    for (int64_t c = 0; c < x.columns(); ++c)
      result.row(row)[c] = T(powers[c] / sum);
  }
  frame.set(op.getOutput(), std::move(result));
}

template <typename T> static void softmaxBwd(SoftmaxBwdOp op, Frame<T> &frame) {
  const Tensor<T> &p = frame.floats(op.getOutput()), &d = frame.floats(op.getDOutput());
  Tensor<T> result(p.shape);
  for (int64_t row = 0; row < p.rows(); ++row) {
    Acc<T> sum(0);
    for (int64_t c = 0; c < p.columns(); ++c)
      sum += Acc<T>(d.row(row)[c]) * Acc<T>(p.row(row)[c]);
    for (int64_t c = 0; c < p.columns(); ++c)
      result.row(row)[c] =
          T(Acc<T>(p.row(row)[c]) * (Acc<T>(d.row(row)[c]) - sum));
  }
  frame.set(op.getDInput(), std::move(result));
}

template <typename T> void tt::reference::addReduceOps(OpTable<T> &table) {
  table.template add<SumOp>(
      [](SumOp op, Frame<T> &frame) { reduce(op, 1, frame); });
  table.template add<MeanOp>([](MeanOp op, Frame<T> &frame) {
    double count = 1;
    for (int64_t dim : op.getDims())
      count *= double(frame.floats(op.getInput()).shape[dim]);
    reduce(op, count, frame);
  });
  table.template add<SoftmaxOp>(softmax<T>);
  table.template add<SoftmaxBwdOp>(softmaxBwd<T>);
}
TT_REFERENCE_INSTANTIATE(addReduceOps)
