//===- ComparisonOps.cpp - compare, select, cast --------------------------===//
#include "Recorded.h"
#include "tt/IR/TTOps.h"

#include <limits>

using namespace tt;
using namespace tt::reference;

/// Any comparison with NaN is false, but `ne` is true.
template <typename Number>
static bool holds(ComparePredicate predicate, Number x, Number y) {
  switch (predicate) {
  case ComparePredicate::EQ:
    return x == y;
  case ComparePredicate::NE:
    return x != y;
  case ComparePredicate::LT:
    return x < y;
  case ComparePredicate::LE:
    return x <= y;
  case ComparePredicate::GT:
    return x > y;
  case ComparePredicate::GE:
    return x >= y;
  }
  return false;
}

template <typename T> static void compare(CompareOp op, Frame<T> &frame) {
  const AnyTensor<T> &lhs = frame.any(op.getLhs()), &rhs = frame.any(op.getRhs());
  IntTensor result(lhs.shape());
  auto fill = [&](const auto &x, const auto &y) {
    for (int64_t i = 0; i < result.size(); ++i)
      result[i] = holds(op.getPredicate(), x[i], y[i]);
  };
  if (lhs.isFloat())
    fill(Decider<T>(op, lhs.floats(), frame), Decider<T>(op, rhs.floats(), frame));
  else
    fill(lhs.ints(), rhs.ints());
  frame.set(op.getOutput(), std::move(result));
}

template <typename Element>
static Tensor<Element> choose(const IntTensor &condition,
                              const Tensor<Element> &onTrue,
                              const Tensor<Element> &onFalse) {
  Tensor<Element> result(condition.shape);
  for (int64_t i = 0; i < result.size(); ++i)
    result[i] = condition[i] ? onTrue[i] : onFalse[i];
  return result;
}

template <typename T> static void select(SelectOp op, Frame<T> &frame) {
  const IntTensor &condition = frame.ints(op.getCondition());
  const AnyTensor<T> &onTrue = frame.any(op.getOnTrue()),
                     &onFalse = frame.any(op.getOnFalse());
  if (onTrue.isFloat())
    frame.set(op.getOutput(),
              choose(condition, onTrue.floats(), onFalse.floats()));
  else
    frame.set(op.getOutput(), choose(condition, onTrue.ints(), onFalse.ints()));
}

/// Towards zero; the nearest end of the type's range beyond it, 0 for NaN. i1 asks
/// whether x is not 0.
static int64_t toInteger(double x, unsigned bits) {
  if (bits == 1)
    return x != 0;
  double end = std::ldexp(1.0, int(bits) - 1);
  if (std::isnan(x))
    return 0;
  if (x >= end)
    return llvm::maxIntN(bits);
  return x < -end ? llvm::minIntN(bits) : int64_t(x);
}

template <typename T> static void convert(CastOp op, Frame<T> &frame) {
  const AnyTensor<T> &input = frame.any(op.getInput());
  auto type = llvm::cast<mlir::RankedTensorType>(op.getType());
  bool toFloat = llvm::isa<mlir::FloatType>(type.getElementType());
  unsigned bits = type.getElementTypeBitWidth();
  if (!input.isFloat() && bits == 1) {
    IntTensor result = input.ints();
    for (int64_t &x : result.data)
      x = x != 0;
    return frame.set(op.getOutput(), std::move(result));
  }
  if (input.isFloat() == toFloat) // set() rounds or wraps
    return frame.set(op.getOutput(), input);
  if (toFloat) {
    const IntTensor &ints = input.ints();
    Tensor<T> result(ints.shape);
    for (int64_t i = 0; i < result.size(); ++i)
      result[i] = T(double(ints[i]));
    return frame.set(op.getOutput(), std::move(result));
  }
  const Tensor<T> &floats = input.floats();
  Decider<T> decider(op, floats, frame);
  IntTensor result(floats.shape);
  for (int64_t i = 0; i < result.size(); ++i) {
    if (imaginaryPart(floats[i]) != 0)
      return frame.fail(op, "to an integer has no complex form");
    result[i] = toInteger(decider[i], bits);
  }
  frame.set(op.getOutput(), std::move(result));
}

template <typename T> void tt::reference::addComparisonOps(OpTable<T> &table) {
  table.template add<CompareOp>(compare<T>);
  table.template add<SelectOp>(select<T>);
  table.template add<CastOp>(convert<T>);
}
TT_REFERENCE_INSTANTIATE(addComparisonOps)
