//===- LoopEmitter.cpp - Terse index arithmetic and loops -----------------===//
#include "LoopEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "tt/Lowering/CPU/Target.h"
#include <algorithm>

using namespace mlir;
using namespace tt::cpu;

Value LoopEmitter::add(Value a, Value c) {
  std::optional<int64_t> x = getConstantIntValue(a);
  std::optional<int64_t> y = getConstantIntValue(c);
  if (x && y)
    return index(*x + *y);
  if (y && *y == 0)
    return a;
  if (x && *x == 0)
    return c;
  return arith::AddIOp::create(b, loc, a, c);
}

Value LoopEmitter::sub(Value a, Value c) {
  std::optional<int64_t> x = getConstantIntValue(a);
  std::optional<int64_t> y = getConstantIntValue(c);
  if (x && y)
    return index(*x - *y);
  if (y && *y == 0)
    return a;
  return arith::SubIOp::create(b, loc, a, c);
}

Value LoopEmitter::mul(Value a, int64_t c) {
  if (std::optional<int64_t> x = getConstantIntValue(a))
    return index(*x * c);
  if (c == 0)
    return index(0);
  return c == 1 ? a : Value(arith::MulIOp::create(b, loc, a, index(c)));
}

Value LoopEmitter::div(Value a, int64_t c) {
  if (std::optional<int64_t> x = getConstantIntValue(a))
    return index(*x / c);
  return c == 1 ? a : Value(arith::DivUIOp::create(b, loc, a, index(c)));
}

Value LoopEmitter::rem(Value a, int64_t c) {
  if (std::optional<int64_t> x = getConstantIntValue(a))
    return index(*x % c);
  return c == 1 ? index(0) : Value(arith::RemUIOp::create(b, loc, a, index(c)));
}

Value LoopEmitter::min(Value a, Value c) {
  std::optional<int64_t> x = getConstantIntValue(a);
  std::optional<int64_t> y = getConstantIntValue(c);
  if (x && y)
    return index(std::min(*x, *y));
  return arith::MinSIOp::create(b, loc, a, c);
}

Value LoopEmitter::max(Value a, Value c) {
  std::optional<int64_t> x = getConstantIntValue(a);
  std::optional<int64_t> y = getConstantIntValue(c);
  if (x && y)
    return index(std::max(*x, *y));
  return arith::MaxSIOp::create(b, loc, a, c);
}

Value LoopEmitter::clamp(Value a, Value high) {
  return min(max(a, index(0)), high);
}

Value LoopEmitter::isEqual(Value a, int64_t c) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, a, index(c));
}

Value LoopEmitter::isLessOrEqual(Value a, Value c) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, a, c);
}

Value LoopEmitter::addF(Value a, Value c) {
  return arith::AddFOp::create(b, loc, a, c);
}

Value LoopEmitter::subF(Value a, Value c) {
  return arith::SubFOp::create(b, loc, a, c);
}

Value LoopEmitter::mulF(Value a, Value c) {
  return arith::MulFOp::create(b, loc, a, c);
}

Value LoopEmitter::fma(Value a, Value c, Value d) {
  return math::FmaOp::create(b, loc, a, c, d);
}

Value LoopEmitter::selectEqual(Value a, Value c, Value yes, Value no) {
  Value same = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, a, c);
  return arith::SelectOp::create(b, loc, same, yes, no);
}

Value LoopEmitter::firstLanesOrNull(int64_t count) {
  return count >= kLanes ? Value() : firstLanes(b, loc, index(count));
}

void LoopEmitter::loop(Value begin, Value end, int64_t step,
                       function_ref<void(Value)> body) {
  loop(begin, end, step, {}, [&](Value position, ValueRange) {
    body(position);
    return SmallVector<Value>();
  });
}

SmallVector<Value>
LoopEmitter::loop(Value begin, Value end, int64_t step, ValueRange carried,
                  function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  std::optional<int64_t> first = getConstantIntValue(begin);
  std::optional<int64_t> last = getConstantIntValue(end);
  if (first && last && *first >= *last)
    return SmallVector<Value>(carried);
  auto loop = scf::ForOp::create(b, loc, begin, end, index(step), carried);
  OpBuilder::InsertionGuard guard(b);
  if (carried.empty()) {
    b.setInsertionPoint(loop.getBody()->getTerminator());
    body(loop.getInductionVar(), {});
    return {};
  }
  b.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(b, loc,
                       body(loop.getInductionVar(), loop.getRegionIterArgs()));
  return SmallVector<Value>(loop.getResults());
}

void LoopEmitter::ifThen(Value condition, function_ref<void()> body) {
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  body();
}

void LoopEmitter::ifElse(Value condition, function_ref<void()> yes,
                         function_ref<void()> no) {
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  yes();
  b.setInsertionPoint(branch.elseBlock()->getTerminator());
  no();
}
