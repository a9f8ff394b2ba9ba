//===- IntegerOps.cpp - Integer and boolean arithmetic --------------------===//
#include "Frame.h"
#include "tt/IR/TTOps.h"

using namespace tt;
using namespace tt::reference;

/// Rounds down; 0 for a divisor of 0. The least value by -1 wraps.
static int64_t floorDivide(int64_t x, int64_t y) {
  if (y == 0)
    return 0;
  if (y == -1)
    return int64_t(0 - uint64_t(x));
  int64_t quotient = x / y;
  return x % y != 0 && (x < 0) != (y < 0) ? quotient - 1 : quotient;
}
static int64_t remainderOf(int64_t x, int64_t y) {
  return int64_t(uint64_t(x) - uint64_t(floorDivide(x, y)) * uint64_t(y));
}

template <typename T, typename Op, typename Function>
static void addBinary(OpTable<T> &table, Function function) {
  table.template add<Op>([function](Op op, Frame<T> &frame) {
    IntTensor result = frame.ints(op.getLhs());
    const IntTensor &rhs = frame.ints(op.getRhs());
    for (int64_t i = 0; i < result.size(); ++i)
      result[i] = function(result[i], rhs[i]);
    frame.set(op.getOutput(), std::move(result)); // wraps to the element type
  });
}

template <typename T> void tt::reference::addIntegerOps(OpTable<T> &table) {
  addBinary<T, FloorDivOp>(table, floorDivide);
  addBinary<T, RemOp>(table, remainderOf);
  addBinary<T, AndOp>(table, [](int64_t x, int64_t y) { return x & y; });
  addBinary<T, OrOp>(table, [](int64_t x, int64_t y) { return x | y; });
  addBinary<T, XorOp>(table, [](int64_t x, int64_t y) { return x ^ y; });
  table.template add<NotOp>([](NotOp op, Frame<T> &frame) {
    IntTensor result = frame.ints(op.getInput());
    for (int64_t &x : result.data)
      x = ~x;
    frame.set(op.getOutput(), std::move(result));
  });
}
TT_REFERENCE_INSTANTIATE(addIntegerOps)
