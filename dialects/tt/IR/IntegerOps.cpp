//===- IntegerOps.cpp - Integer and boolean arithmetic --------------------===//
#include "KnownIntegers.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tt;

//===----------------------------------------------------------------------===//
// Scalar and vector form
//===----------------------------------------------------------------------===//

namespace {
/// Arithmetic on scalars or vectors of one integer type.
struct Integer {
  OpBuilder &b;
  Location loc;
  Type type;

  Value constant(int64_t value) {
    auto attr = b.getIntegerAttr(getElementTypeOrSelf(type), value);
    if (auto vector = dyn_cast<VectorType>(type))
      return arith::ConstantOp::create(b, loc, SplatElementsAttr::get(vector, attr));
    return arith::ConstantOp::create(b, loc, attr);
  }
  Value is(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  Value choose(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }
  Value sub(Value x, Value y) { return arith::SubIOp::create(b, loc, x, y); }
  Value mul(Value x, Value y) { return arith::MulIOp::create(b, loc, x, y); }

  /// The machine traps on a divisor of 0 and on least / -1: both go around it.
  Value floorDiv(Value x, Value y) {
    Value zero = constant(0), one = constant(1), minusOne = constant(-1);
    Value isZero = is(arith::CmpIPredicate::eq, y, zero);
    Value isMinusOne = is(arith::CmpIPredicate::eq, y, minusOne);
    Value safe = choose(isZero, one, choose(isMinusOne, one, y));
    Value quotient = arith::DivSIOp::create(b, loc, x, safe);
    Value rest = sub(x, mul(quotient, safe));
    Value inexact = is(arith::CmpIPredicate::ne, rest, zero);
    Value differs = is(arith::CmpIPredicate::ne,
                       is(arith::CmpIPredicate::slt, rest, zero),
                       is(arith::CmpIPredicate::slt, safe, zero));
    Value down = arith::AndIOp::create(b, loc, inexact, differs);
    quotient = choose(down, sub(quotient, one), quotient);
    return choose(isZero, zero, choose(isMinusOne, sub(zero, x), quotient));
  }
};
} // namespace

Value FloorDivOp::buildScalar(OpBuilder &b, ValueRange v) {
  return Integer{b, getLoc(), v[0].getType()}.floorDiv(v[0], v[1]);
}
Value RemOp::buildScalar(OpBuilder &b, ValueRange v) {
  Integer i{b, getLoc(), v[0].getType()};
  return i.sub(v[0], i.mul(i.floorDiv(v[0], v[1]), v[1]));
}
Value AndOp::buildScalar(OpBuilder &b, ValueRange v) {
  return arith::AndIOp::create(b, getLoc(), v[0], v[1]);
}
Value OrOp::buildScalar(OpBuilder &b, ValueRange v) {
  return arith::OrIOp::create(b, getLoc(), v[0], v[1]);
}
Value XorOp::buildScalar(OpBuilder &b, ValueRange v) {
  return arith::XOrIOp::create(b, getLoc(), v[0], v[1]);
}
Value NotOp::buildScalar(OpBuilder &b, ValueRange v) {
  Integer i{b, getLoc(), v[0].getType()};
  return arith::XOrIOp::create(b, getLoc(), v[0], i.constant(-1));
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

OpFoldResult FloorDivOp::fold(FoldAdaptor) {
  if (isKnownSplat(getRhs(), 1))
    return getLhs();
  return foldIntegers(getLhs(), getRhs(), getType(), floorDiv);
}
OpFoldResult RemOp::fold(FoldAdaptor) {
  return foldIntegers(getLhs(), getRhs(), getType(),
                      [](const APInt &a, const APInt &b) {
                        return a - floorDiv(a, b) * b;
                      });
}
OpFoldResult AndOp::fold(FoldAdaptor) {
  if (isKnownSplat(getRhs(), -1) || getLhs() == getRhs())
    return getLhs();
  return foldIntegers(getLhs(), getRhs(), getType(),
                      [](const APInt &a, const APInt &b) { return a & b; });
}
OpFoldResult OrOp::fold(FoldAdaptor) {
  if (isKnownSplat(getRhs(), 0) || getLhs() == getRhs())
    return getLhs();
  return foldIntegers(getLhs(), getRhs(), getType(),
                      [](const APInt &a, const APInt &b) { return a | b; });
}
OpFoldResult XorOp::fold(FoldAdaptor) {
  if (isKnownSplat(getRhs(), 0))
    return getLhs();
  return foldIntegers(getLhs(), getRhs(), getType(),
                      [](const APInt &a, const APInt &b) { return a ^ b; });
}
OpFoldResult NotOp::fold(FoldAdaptor) {
  if (auto inner = getInput().getDefiningOp<NotOp>())
    return inner.getInput();
  return foldIntegers(getInput(), getInput(), getType(),
                      [](const APInt &a, const APInt &) { return ~a; });
}

static bool holds(ComparePredicate predicate, const APInt &a, const APInt &b) {
  bool isBit = a.getBitWidth() == 1; // 0 or 1, not 0 or -1
  bool less = isBit ? a.ult(b) : a.slt(b);
  switch (predicate) {
  case ComparePredicate::EQ:
    return a == b;
  case ComparePredicate::NE:
    return a != b;
  case ComparePredicate::LT:
    return less;
  case ComparePredicate::LE:
    return less || a == b;
  case ComparePredicate::GT:
    return !less && a != b;
  case ComparePredicate::GE:
    return !less;
  }
  return false;
}
OpFoldResult CompareOp::fold(FoldAdaptor) {
  ComparePredicate predicate = getPredicate();
  return foldIntegers(getLhs(), getRhs(), getType(),
                      [&](const APInt &a, const APInt &b) {
                        return APInt(1, holds(predicate, a, b));
                      });
}
OpFoldResult SelectOp::fold(FoldAdaptor) {
  if (getOnTrue() == getOnFalse() || isKnownSplat(getCondition(), -1))
    return getOnTrue();
  if (isKnownSplat(getCondition(), 0))
    return getOnFalse();
  std::optional<Integers> condition = knownIntegers(getCondition());
  if (!condition)
    return {};
  const APInt *next = condition->begin();
  return foldIntegers(getOnTrue(), getOnFalse(), getType(),
                      [&](const APInt &a, const APInt &b) {
                        return (next++)->isZero() ? b : a;
                      });
}

/// True if `value` is a constant with every element exactly `number`.
static bool isSplatOf(Attribute value, double number) {
  auto splat = dyn_cast_if_present<SplatElementsAttr>(value);
  return splat && isa<FloatType>(splat.getElementType()) &&
         splat.getSplatValue<APFloat>().isExactlyValue(number);
}

// x + 0 changes the bits only of -0, x * 1 of none; x * 0 must stay (NaN).
OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), -0.0) || isKnownSplat(getRhs(), 0))
    return getLhs();
  return foldIntegers(getLhs(), getRhs(), getType(),
                      [](const APInt &a, const APInt &b) { return a + b; });
}
OpFoldResult SubOp::fold(FoldAdaptor) {
  if (isKnownSplat(getRhs(), 0))
    return getLhs();
  return foldIntegers(getLhs(), getRhs(), getType(),
                      [](const APInt &a, const APInt &b) { return a - b; });
}
OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), 1.0) || isKnownSplat(getRhs(), 1))
    return getLhs();
  if (isSplatOf(adaptor.getLhs(), 1.0))
    return getRhs();
  return foldIntegers(getLhs(), getRhs(), getType(),
                      [](const APInt &a, const APInt &b) { return a * b; });
}
OpFoldResult MaximumOp::fold(FoldAdaptor) {
  return foldIntegers(getLhs(), getRhs(), getType(),
                      [](const APInt &a, const APInt &b) { return a.sgt(b) ? a : b; });
}
OpFoldResult MinimumOp::fold(FoldAdaptor) {
  return foldIntegers(getLhs(), getRhs(), getType(),
                      [](const APInt &a, const APInt &b) { return a.slt(b) ? a : b; });
}
