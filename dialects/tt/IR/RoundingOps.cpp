//===- RoundingOps.cpp - Rounding, sign and clamp -------------------------===//
#include "NarrowFloat.h"
#include "Scalar.h"
#include "UnaryRules.h"

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

TT_FLAT_RULES(RoundOp)
TT_FLAT_RULES(FloorOp)
TT_FLAT_RULES(CeilOp)
TT_FLAT_RULES(SignOp)

TT_SCALAR(RoundOp, return math::RoundEvenOp::create(builder, getLoc(), v[0]);)
TT_SCALAR(FloorOp, return math::FloorOp::create(builder, getLoc(), v[0]);)
TT_SCALAR(CeilOp, return math::CeilOp::create(builder, getLoc(), v[0]);)

Value SignOp::buildScalar(OpBuilder &b, ValueRange v) {
  Scalar s = scalarFor(b, *this, v);
  auto is = [&](arith::CmpFPredicate predicate) {
    return arith::CmpFOp::create(b, getLoc(), predicate, v[0], s.constant(0));
  };
  Value rest = arith::SelectOp::create(b, getLoc(), is(arith::CmpFPredicate::OLT),
                                       s.constant(-1), v[0]);
  return arith::SelectOp::create(b, getLoc(), is(arith::CmpFPredicate::OGT),
                                 s.constant(1), rest);
}

//===----------------------------------------------------------------------===//
// clamp
//===----------------------------------------------------------------------===//

LogicalResult ClampOp::verify() {
  double low = getLow().convertToDouble(), high = getHigh().convertToDouble();
  if (!(low <= high)) // (C1)
    return emitOpError() << "expected low <= high, but got " << numberText(getLow())
                         << " and " << numberText(getHigh());
  auto type = cast<FloatType>(getElementTypeOrSelf(getType()));
  for (APFloat bound : {getLow(), getHigh()})
    if (bound.isFinite() && !narrowTo(type, bound).isFinite())
      return emitOpError() << "expected bounds that " << type << " holds, or infinite ones, "
                           << "but got " << numberText(bound);
  return success();
}

namespace tt {
template <> struct Unary<ClampOp> {
  static constexpr int reads = 1;
  static Value apply(Emit &e, ClampOp op, Value x, Value d) {
    Value zero = e.splat(d.getType(), 0);
    Value low = e.splat(x.getType(), op.getLow().convertToDouble());
    Value high = e.splat(x.getType(), op.getHigh().convertToDouble());
    Value below = e.select(e.compare(ComparePredicate::LE, x, high), d, zero);
    return e.select(e.compare(ComparePredicate::GE, x, low), below, zero);
  }
};
} // namespace tt
TT_UNARY_RULES(ClampOp)

Value ClampOp::buildScalar(OpBuilder &b, ValueRange v) {
  Scalar s = scalarFor(b, *this, v);
  Value above = arith::MaximumFOp::create(b, getLoc(), v[0],
                                          s.constant(getLow().convertToDouble()));
  return arith::MinimumFOp::create(b, getLoc(), above,
                                   s.constant(getHigh().convertToDouble()));
}
