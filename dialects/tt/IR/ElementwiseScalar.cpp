//===- ElementwiseScalar.cpp - Scalar and vector form of elementwise ops --===//
//
// One formula per op, used by every prologue and epilogue. Plain arith ops: a
// rounding per op, no contraction; math ops are expanded by the target's fixed
// polynomials.
//
//===----------------------------------------------------------------------===//
#include "Scalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace tt;

/// A float op or, for integers, its counterpart.
#define TT_NUMBER_SCALAR(OP, FLOAT_OP, INTEGER_OP)                             \
  Value OP::buildScalar(OpBuilder &builder, ValueRange v) {                    \
    if (isa<FloatType>(getElementTypeOrSelf(v[0].getType())))                  \
      return arith::FLOAT_OP::create(builder, getLoc(), v[0], v[1]);           \
    return arith::INTEGER_OP::create(builder, getLoc(), v[0], v[1]);           \
  }
TT_NUMBER_SCALAR(AddOp, AddFOp, AddIOp)
TT_NUMBER_SCALAR(SubOp, SubFOp, SubIOp)
TT_NUMBER_SCALAR(MulOp, MulFOp, MulIOp)
TT_NUMBER_SCALAR(MaximumOp, MaximumFOp, MaxSIOp)
TT_NUMBER_SCALAR(MinimumOp, MinimumFOp, MinSIOp)

TT_SCALAR(DivOp, return s.div(v[0], v[1]);)
TT_SCALAR(NegOp, return s.neg(v[0]);)
TT_SCALAR(AbsOp, return math::AbsFOp::create(builder, getLoc(), v[0]);)
TT_SCALAR(ExpOp, return s.exp(v[0]);)
TT_SCALAR(LogOp, return math::LogOp::create(builder, getLoc(), v[0]);)
TT_SCALAR(SqrtOp, return math::SqrtOp::create(builder, getLoc(), v[0]);)
TT_SCALAR(RsqrtOp, return s.div(s.constant(1), math::SqrtOp::create(builder, getLoc(), v[0]));)
TT_SCALAR(SquareOp, return s.mul(v[0], v[0]);)
TT_SCALAR(ReciprocalOp, return s.div(s.constant(1), v[0]);)
TT_SCALAR(TanhOp, return s.tanh(v[0]);)
TT_SCALAR(SigmoidOp, return s.sigmoid(v[0]);)
TT_SCALAR(SinOp, return math::SinOp::create(builder, getLoc(), v[0]);)
TT_SCALAR(CosOp, return math::CosOp::create(builder, getLoc(), v[0]);)
TT_SCALAR(ErfOp, return s.erf(v[0]);)
TT_SCALAR(ReluOp, return arith::MaximumFOp::create(builder, getLoc(), v[0], s.constant(0));)
TT_SCALAR(SiluOp, return s.silu(v[0]);)
TT_SCALAR(SwigluOp, return s.mul(s.silu(v[0]), v[1]);)

Value SiluBwdOp::buildScalar(OpBuilder &builder, ValueRange v) {
  Scalar s = scalarFor(builder, *this, v);
  Value sig = s.sigmoid(v[0]), one = s.constant(1);
  Value inner = s.fma(v[0], s.sub(one, sig), one);
  return s.mul(v[1], s.mul(sig, inner));
}

Value CompareOp::buildScalar(OpBuilder &builder, ValueRange v) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(v[0].getType()));
  static const arith::CmpFPredicate floats[] = {
      arith::CmpFPredicate::OEQ, arith::CmpFPredicate::UNE,
      arith::CmpFPredicate::OLT, arith::CmpFPredicate::OLE,
      arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE};
  static const arith::CmpIPredicate ints[] = {
      arith::CmpIPredicate::eq,  arith::CmpIPredicate::ne,
      arith::CmpIPredicate::slt, arith::CmpIPredicate::sle,
      arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge};
  static const arith::CmpIPredicate bits[] = { // i1 is 0 or 1, not 0 or -1
      arith::CmpIPredicate::eq,  arith::CmpIPredicate::ne,
      arith::CmpIPredicate::ult, arith::CmpIPredicate::ule,
      arith::CmpIPredicate::ugt, arith::CmpIPredicate::uge};
  unsigned i = unsigned(getPredicate());
  if (isFloat)
    return arith::CmpFOp::create(builder, getLoc(), floats[i], v[0], v[1]);
  bool isBit = getElementTypeOrSelf(v[0].getType()).isInteger(1);
  return arith::CmpIOp::create(builder, getLoc(), isBit ? bits[i] : ints[i], v[0],
                               v[1]);
}

Value SelectOp::buildScalar(OpBuilder &builder, ValueRange v) {
  return arith::SelectOp::create(builder, getLoc(), v[0], v[1], v[2]);
}

static Value isNotZero(OpBuilder &b, Location loc, Value x) {
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(x.getType()));
  if (isa<FloatType>(getElementTypeOrSelf(x.getType()))) // NaN is not 0
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, x, zero);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, x, zero);
}

/// The integer next to x on the way to 0; the nearest end of the type's range beyond it,
/// and 0 for NaN. A bare conversion has no value there, so that each vector level has
/// its own.
static Value towardsZero(OpBuilder &b, Location loc, Value x, Type type) {
  Type element = getElementTypeOrSelf(type);
  unsigned bits = element.getIntOrFloatBitWidth();
  Scalar s{b, loc, x.getType()};
  auto integer = [&](const APInt &value) {
    TypedAttr attribute = b.getIntegerAttr(element, value);
    if (auto vector = dyn_cast<VectorType>(type))
      attribute = SplatElementsAttr::get(vector, attribute);
    return arith::ConstantOp::create(b, loc, attribute);
  };
  auto compare = [&](arith::CmpFPredicate predicate, double bound) {
    return arith::CmpFOp::create(b, loc, predicate, x, s.constant(bound));
  };
  double end = std::ldexp(1.0, int(bits) - 1); // infinite in a type without it
  Value isAbove = compare(arith::CmpFPredicate::OGE, end);
  Value isBelow = compare(arith::CmpFPredicate::OLT, -end);
  Value isOutside = arith::OrIOp::create(b, loc, compare(arith::CmpFPredicate::UGE, end),
                                         isBelow); // or NaN
  Value inside = arith::SelectOp::create(b, loc, isOutside, s.constant(0), x);
  Value result = arith::FPToSIOp::create(b, loc, type, inside);
  result = arith::SelectOp::create(b, loc, isAbove,
                                   integer(APInt::getSignedMaxValue(bits)), result);
  return arith::SelectOp::create(b, loc, isBelow, integer(APInt::getSignedMinValue(bits)),
                                 result);
}

Value CastOp::buildScalar(OpBuilder &b, ValueRange v) {
  Location loc = getLoc();
  Type from = getElementTypeOrSelf(v[0].getType());
  Type to = cast<RankedTensorType>(getType()).getElementType();
  Type type = to;
  if (auto vector = dyn_cast<VectorType>(v[0].getType()))
    type = VectorType::get(vector.getShape(), to);
  if (from == to)
    return v[0];
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);
  unsigned fromBits = from.getIntOrFloatBitWidth(), toBits = to.getIntOrFloatBitWidth();
  if (fromFloat && toFloat) {
    if (fromBits < toBits)
      return arith::ExtFOp::create(b, loc, type, v[0]);
    if (fromBits > toBits)
      return arith::TruncFOp::create(b, loc, type, v[0]);
    // bf16 and f16 meet in f32.
    Type wide = b.getF32Type();
    if (auto vector = dyn_cast<VectorType>(v[0].getType()))
      wide = VectorType::get(vector.getShape(), wide);
    return arith::TruncFOp::create(
        b, loc, type, arith::ExtFOp::create(b, loc, wide, v[0]).getResult());
  }
  if (toBits == 1)
    return isNotZero(b, loc, v[0]);
  if (fromFloat)
    return towardsZero(b, loc, v[0], type);
  if (toFloat) {
    if (fromBits == 1)
      return arith::UIToFPOp::create(b, loc, type, v[0]);
    return arith::SIToFPOp::create(b, loc, type, v[0]);
  }
  if (fromBits > toBits)
    return arith::TruncIOp::create(b, loc, type, v[0]);
  if (fromBits == 1)
    return arith::ExtUIOp::create(b, loc, type, v[0]);
  return arith::ExtSIOp::create(b, loc, type, v[0]);
}
