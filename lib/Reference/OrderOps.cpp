//===- OrderOps.cpp - Extrema, running sums and order along a dimension ---===//
#include "Recorded.h"
#include "tt/IR/TTOps.h"

#include <algorithm>
#include <numeric>

using namespace tt;
using namespace tt::reference;

namespace {
/// A tensor as lines along one dimension.
struct Lines {
  int64_t outer = 1, size = 1, inner = 1;

  Lines(const Shape &shape, int64_t dim) : size(shape[dim]) {
    for (int64_t d = 0; d < int64_t(shape.size()); ++d)
      if (d != dim) // checked: Options::maxElements
        (d < dim ? outer : inner) *= shape[d];
  }
  int64_t count() const { return outer * inner; }
  /// The position of element i of a line, in a tensor whose lines have `length`.
  int64_t at(int64_t line, int64_t i, int64_t length) const {
    return (line / inner * length + i) * inner + line % inner;
  }
};
} // namespace

/// NaN is above all numbers; NaNs are equal.
static bool isLess(double x, double y) {
  return std::isnan(y) ? !std::isnan(x) : x < y;
}
/// The order of min: NaN counts as the least.
static bool isBelow(double x, double y) {
  return std::isnan(x) ? !std::isnan(y) : x < y;
}

/// The first position that no other one beats.
template <typename T, typename Beats>
static IntTensor firstBest(mlir::Operation *op, const Tensor<T> &x, int64_t dim,
                           Shape shape, Beats beats, Frame<T> &frame) {
  Decider<T> decider(op, x, frame);
  Lines lines(x.shape, dim);
  IntTensor index(std::move(shape));
  for (int64_t line = 0; line < lines.count(); ++line)
    for (int64_t i = 1; i < lines.size; ++i)
      if (beats(decider[lines.at(line, i, lines.size)],
                decider[lines.at(line, index[line], lines.size)]))
        index[line] = i;
  return index;
}
static bool isAbove(double x, double y) { return isLess(y, x); }

/// The element of each line that `beats` the others, and its place.
template <typename T, typename Op, typename Beats>
static void extremum(Op op, Beats beats, Frame<T> &frame) {
  const Tensor<T> &x = frame.floats(op.getInput());
  IntTensor index =
      firstBest(op, x, op.getDim(), shapeOf(op.getIndex()), beats, frame);
  Lines lines(x.shape, op.getDim());
  Tensor<T> output(index.shape);
  for (int64_t line = 0; line < output.size(); ++line)
    output[line] = x[lines.at(line, index[line], lines.size)];
  frame.set(op.getOutput(), std::move(output));
  frame.set(op.getIndex(), std::move(index));
}

template <typename Sum, typename Element>
static Tensor<Element> runningSum(CumSumOp op, const Tensor<Element> &x) {
  Lines lines(x.shape, op.getDim());
  Tensor<Element> result(x.shape);
  for (int64_t line = 0; line < lines.count(); ++line) {
    Sum sum = Sum();
    for (int64_t step = 0; step < lines.size; ++step) {
      int64_t i = op.getReverse() ? lines.size - 1 - step : step;
      int64_t at = lines.at(line, i, lines.size);
      Sum next = sum + Sum(x[at]);
      result[at] = Element(op.getExclusive() ? sum : next);
      sum = next;
    }
  }
  return result;
}

template <typename T> static void cumulate(CumSumOp op, Frame<T> &frame) {
  const AnyTensor<T> &x = frame.any(op.getInput());
  if (x.isFloat())
    frame.set(op.getOutput(), runningSum<Acc<T>>(op, x.floats()));
  else // unsigned: wraps
    frame.set(op.getOutput(), runningSum<uint64_t>(op, x.ints()));
}

/// The first `length` elements of every line in stable order, and their places.
template <typename T, typename Op>
static void order(Op op, bool descending, Frame<T> &frame) {
  const Tensor<T> &x = frame.floats(op.getInput());
  Shape shape = shapeOf(op.getValues());
  Lines lines(x.shape, op.getDim());
  int64_t length = shape[op.getDim()];
  Decider<T> decider(op, x, frame);
  Tensor<T> values(shape);
  IntTensor indices(shape);
  std::vector<int64_t> places(lines.size);
  for (int64_t line = 0; line < lines.count(); ++line) {
    auto at = [&](int64_t i) { return lines.at(line, i, lines.size); };
    std::iota(places.begin(), places.end(), 0);
    std::sort(places.begin(), places.end(), [&](int64_t i, int64_t j) {
      double a = decider[at(i)], b = decider[at(j)];
      bool isBefore = descending ? isLess(b, a) : isLess(a, b);
      bool isAfter = descending ? isLess(a, b) : isLess(b, a);
      return isBefore || (!isAfter && i < j); // stable
    });
    for (int64_t i = 0; i < length; ++i) {
      values[lines.at(line, i, length)] = x[at(places[i])];
      indices[lines.at(line, i, length)] = places[i];
    }
  }
  frame.set(op.getValues(), std::move(values));
  frame.set(op.getIndices(), std::move(indices));
}

template <typename T> void tt::reference::addOrderOps(OpTable<T> &table) {
  table.template add<MaxOp>(
      [](MaxOp op, Frame<T> &frame) { extremum(op, isAbove, frame); });
  table.template add<MinOp>(
      [](MinOp op, Frame<T> &frame) { extremum(op, isBelow, frame); });
  table.template add<ArgMaxOp>([](ArgMaxOp op, Frame<T> &frame) {
    frame.set(op.getIndex(), firstBest(op, frame.floats(op.getInput()), op.getDim(),
                                       shapeOf(op.getIndex()), isAbove, frame));
  });
  table.template add<ArgMinOp>([](ArgMinOp op, Frame<T> &frame) {
    frame.set(op.getIndex(), firstBest(op, frame.floats(op.getInput()), op.getDim(),
                                       shapeOf(op.getIndex()), isBelow, frame));
  });
  table.template add<CumSumOp>(cumulate<T>);
  table.template add<SortOp>([](SortOp op, Frame<T> &frame) {
    order(op, op.getDescending(), frame);
  });
  table.template add<TopKOp>(
      [](TopKOp op, Frame<T> &frame) { order(op, true, frame); });
}
TT_REFERENCE_INSTANTIATE(addOrderOps)
