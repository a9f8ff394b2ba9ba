//===- StatisticsOps.cpp - logsumexp, log_softmax, variance ---------------===//
#include "Frame.h"
#include "Indexing.h"
#include "Scalar.h"
#include "tt/IR/TTOps.h"

#include <limits>

using namespace tt;
using namespace tt::reference;

/// Calls function(slice, element) for the elements of x, where slice is the
/// position of the kept dimensions in a tensor of shape `kept`.
template <typename T, typename Function>
static void overSlices(const Tensor<T> &x, llvm::ArrayRef<int64_t> dims,
                       Function function) {
  forEachIndex(x.shape, [&](llvm::ArrayRef<int64_t> index, int64_t i) {
    int64_t at = 0;
    for (size_t d = 0; d < x.shape.size(); ++d)
      if (!llvm::is_contained(dims, int64_t(d))) // checked: maxElements
        at = at * x.shape[d] + index[d];
    function(at, x[i]);
  });
}

/// The largest element of each slice, NaN above all; +-inf become 0.
template <typename T>
static std::vector<double> shiftsOf(const Tensor<T> &x, llvm::ArrayRef<int64_t> dims,
                                    int64_t count) {
  std::vector<double> shifts(count, -std::numeric_limits<double>::infinity());
  overSlices(x, dims, [&](int64_t at, T value) {
    double real = realPart(value);
    if (!std::isnan(shifts[at]) && (std::isnan(real) || real > shifts[at]))
      shifts[at] = real;
  });
  for (double &shift : shifts)
    if (std::isinf(shift))
      shift = 0;
  return shifts;
}

template <typename T> static void logSumExp(LogSumExpOp op, Frame<T> &frame) {
  const Tensor<T> &x = frame.floats(op.getInput());
  Tensor<T> result(shapeOf(op.getOutput()));
  std::vector<double> shifts = shiftsOf(x, op.getDims(), result.size());
  std::vector<Acc<T>> sums(result.size(), Acc<T>(0));
  overSlices(x, op.getDims(), [&](int64_t at, T value) {
    sums[at] += std::exp(Acc<T>(value) - shifts[at]);
  });
  for (int64_t i = 0; i < result.size(); ++i)
    result[i] = T(std::log(sums[i]) + shifts[i]);
  frame.set(op.getOutput(), std::move(result));
}

template <typename T> static void logSoftmax(LogSoftmaxOp op, Frame<T> &frame) {
  const Tensor<T> &x = frame.floats(op.getInput());
  int64_t last = int64_t(x.shape.size()) - 1;
  std::vector<double> shifts = shiftsOf(x, {last}, x.rows());
  Tensor<T> result(x.shape);
  for (int64_t row = 0; row < x.rows(); ++row) {
    Acc<T> sum(0);
    for (int64_t c = 0; c < x.columns(); ++c)
      sum += std::exp(Acc<T>(x.row(row)[c]) - shifts[row]);
    for (int64_t c = 0; c < x.columns(); ++c)
      result.row(row)[c] = T(Acc<T>(x.row(row)[c]) - shifts[row] - std::log(sum));
  }
  frame.set(op.getOutput(), std::move(result));
}

template <typename T> static void variance(VarianceOp op, Frame<T> &frame) {
  const Tensor<T> &x = frame.floats(op.getInput());
  Tensor<T> result(shapeOf(op.getOutput()));
  double count = 1;
  for (int64_t dim : op.getDims())
    count *= double(x.shape[dim]);
  std::vector<Acc<T>> sums(result.size(), Acc<T>(0)), squares(result.size(), Acc<T>(0));
  overSlices(x, op.getDims(), [&](int64_t at, T value) { sums[at] += Acc<T>(value); });
  overSlices(x, op.getDims(), [&](int64_t at, T value) {
    Acc<T> centered = Acc<T>(value) - sums[at] / count;
    squares[at] += centered * centered;
  });
  for (int64_t i = 0; i < result.size(); ++i)
    result[i] = T(squares[i] / (count - double(op.getCorrection())));
  frame.set(op.getOutput(), std::move(result));
}

template <typename T> void tt::reference::addStatisticsOps(OpTable<T> &table) {
  table.template add<LogSumExpOp>(logSumExp<T>);
  table.template add<LogSoftmaxOp>(logSoftmax<T>);
  table.template add<VarianceOp>(variance<T>);
}
TT_REFERENCE_INSTANTIATE(addStatisticsOps)
