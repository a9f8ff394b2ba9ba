//===- QuantiseOps.cpp - Rounding with a declared derivative --------------===//
#include "NarrowFloat.h"
#include "Scalar.h"
#include "UnaryRules.h"

#include <cmath>

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

/// Integers up to here are exact in f32.
static constexpr int64_t kMaxLevel = int64_t(1) << 24;

/// (C1) of both ops: positive and finite, as a number of the op's element type too.
static LogicalResult checkScale(Operation *op, const APFloat &scale) {
  auto type = cast<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
  if (scale.convertToDouble() > 0 && isHeldBy(type, scale))
    return success();
  return op->emitOpError() << "expected a positive, finite scale, but got "
                           << numberText(scale, type);
}

LogicalResult FakeQuantOp::verify() {
  int64_t low = getLow(), high = getHigh(), zero = getZeroPoint();
  if (failed(checkScale(*this, getScale())))
    return failure();
  if (!(low <= zero && zero <= high)) // (C2)
    return emitOpError() << "expected low <= zero_point <= high, but got " << low
                         << ", " << zero << ", " << high;
  if (low < -kMaxLevel || high > kMaxLevel) // (C3)
    return emitOpError() << "expected levels in [-2^24, 2^24], but got " << low
                         << " to " << high;
  return success();
}

LogicalResult DequantiseOp::verify() {
  if (failed(checkScale(*this, getScale())))
    return failure();
  int64_t zero = getZeroPoint();
  if (zero < -128 || zero > 127) // (C2)
    return emitOpError() << "expected zero_point in [-128, 127], but got " << zero;
  return success();
}

namespace tt {
template <> struct Unary<RoundSteOp> {
  static constexpr int reads = 0;
  static Value apply(Emit &, RoundSteOp, Value, Value d) { return d; }
};
/// The mask looks at the integer before it is brought into the range.
template <> struct Unary<FakeQuantOp> {
  static constexpr int reads = 1;
  static Value apply(Emit &e, FakeQuantOp op, Value x, Value d) {
    Value scale = e.splat(x.getType(), op.getScale().convertToDouble());
    Value level = RoundOp::create(e.builder, e.loc, e.div(x, scale));
    double zeroPoint = double(int64_t(op.getZeroPoint()));
    Value low = e.splat(x.getType(), double(int64_t(op.getLow())) - zeroPoint);
    Value high = e.splat(x.getType(), double(int64_t(op.getHigh())) - zeroPoint);
    Value zero = e.splat(d.getType(), 0);
    Value below = e.select(e.compare(ComparePredicate::LE, level, high), d, zero);
    return e.select(e.compare(ComparePredicate::GE, level, low), below, zero);
  }
};
} // namespace tt
TT_UNARY_RULES(RoundSteOp)
TT_UNARY_RULES(FakeQuantOp)

TT_SCALAR(RoundSteOp, return math::RoundEvenOp::create(builder, getLoc(), v[0]);)

/// With the zero point in the bounds: round(x / scale) and its distance to the
/// zero point are the same integer, and both are exact.
Value FakeQuantOp::buildScalar(OpBuilder &b, ValueRange v) {
  Scalar s = scalarFor(b, *this, v);
  Value scale = s.constant(getScale().convertToDouble());
  Value level = math::RoundEvenOp::create(b, getLoc(), s.div(v[0], scale));
  double zeroPoint = double(int64_t(getZeroPoint()));
  level = arith::MaximumFOp::create(
      b, getLoc(), level, s.constant(double(int64_t(getLow())) - zeroPoint));
  level = arith::MinimumFOp::create(
      b, getLoc(), level, s.constant(double(int64_t(getHigh())) - zeroPoint));
  return s.mul(level, scale);
}

Value DequantiseOp::buildScalar(OpBuilder &b, ValueRange v) {
  Type type = cast<RankedTensorType>(getType()).getElementType();
  if (auto vector = dyn_cast<VectorType>(v[0].getType()))
    type = VectorType::get(vector.getShape(), type);
  Value wide = arith::SIToFPOp::create(b, getLoc(), type, v[0]);
  Scalar s{b, getLoc(), type};
  Value level = s.sub(wide, s.constant(double(int64_t(getZeroPoint()))));
  return s.mul(level, s.constant(getScale().convertToDouble()));
}
