//===- PowerOps.cpp - Powers and logarithms of sums -----------------------===//
#include "NarrowFloat.h"
#include "Scalar.h"
#include "UnaryRules.h"

#include <cmath>

using namespace mlir;
using namespace tt;

using Values = SmallVectorImpl<Value>;

LogicalResult PowOp::verify() {
  FloatType type = accumulationType(getElementTypeOrSelf(getType()));
  if (!isHeldBy(type, getExponent())) // (C1)
    return emitOpError() << "expected a finite exponent, but got "
                         << numberText(getExponent(), type);
  return success();
}
OpFoldResult PowOp::fold(FoldAdaptor) {
  return getExponent().isExactlyValue(1.0) ? getInput() : OpFoldResult();
}

namespace tt {
// clang-format off
template <> struct Unary<PowOp> { static constexpr int reads = 1;
  static Value apply(Emit &e, PowOp op, Value x, Value d) {
    double exponent = op.getExponent().convertToDouble();
    if (exponent == 0)
      return e.splat(d.getType(), 0);
    Value power = PowOp::create(e.builder, e.loc, x, e.builder.getF64FloatAttr(exponent - 1));
    return e.mul(e.scale(d, exponent), power); } };
template <> struct Unary<Relu2Op> { static constexpr int reads = 1;
  static Value apply(Emit &e, Relu2Op, Value x, Value d) {
    return e.mul(e.scale(d, 2), ReluOp::create(e.builder, e.loc, x)); } };
template <> struct Unary<SoftplusOp> { static constexpr int reads = 1;
  static Value apply(Emit &e, SoftplusOp, Value x, Value d) {
    return e.mul(d, SigmoidOp::create(e.builder, e.loc, x)); } };
template <> struct Unary<Log1pOp> { static constexpr int reads = 1;
  static Value apply(Emit &e, Log1pOp, Value x, Value d) { return e.div(d, e.shift(x, 1)); } };
template <> struct Unary<Expm1Op> { static constexpr int reads = 2;
  static Value apply(Emit &e, Expm1Op, Value y, Value d) { return e.mul(d, e.shift(y, 1)); } };
// clang-format on
} // namespace tt

TT_UNARY_RULES(PowOp)
TT_UNARY_RULES(Relu2Op)
TT_UNARY_RULES(SoftplusOp)
TT_UNARY_RULES(Log1pOp)
TT_UNARY_RULES(Expm1Op)

TT_SCALAR(Log1pOp, return math::Log1pOp::create(builder, getLoc(), v[0]);)
TT_SCALAR(Expm1Op, return math::ExpM1Op::create(builder, getLoc(), v[0]);)

Value Relu2Op::buildScalar(OpBuilder &builder, ValueRange v) {
  Scalar s = scalarFor(builder, *this, v);
  Value r = arith::MaximumFOp::create(builder, getLoc(), v[0], s.constant(0));
  return s.mul(r, r);
}

Value SoftplusOp::buildScalar(OpBuilder &builder, ValueRange v) {
  Scalar s = scalarFor(builder, *this, v);
  Value positive = arith::MaximumFOp::create(builder, getLoc(), v[0], s.constant(0));
  Value magnitude = math::AbsFOp::create(builder, getLoc(), v[0]);
  Value tail = math::Log1pOp::create(builder, getLoc(), s.exp(s.neg(magnitude)));
  return s.add(positive, tail);
}

/// x^n for n >= 1: squares of x from the lowest bit of n on.
static Value wholePower(Scalar &s, Value x, int64_t n) {
  Value result;
  for (Value square = x;; square = s.mul(square, square)) {
    if (n & 1)
      result = result ? s.mul(result, square) : square;
    if (n >>= 1; n == 0)
      return result;
  }
}

/// Largest whole power formed by products.
static constexpr double kMaxProducts = 64;

Value PowOp::buildScalar(OpBuilder &builder, ValueRange v) {
  Scalar s = scalarFor(builder, *this, v);
  double exponent = getExponent().convertToDouble();
  double whole = std::trunc(exponent), rest = exponent - whole;
  Value x = v[0];
  auto powerOf = [&](Value base, double p) -> Value {
    Value log = math::LogOp::create(builder, getLoc(), base);
    return s.exp(s.mul(log, s.constant(p)));
  };
  if (std::fabs(whole) > kMaxProducts) {
    bool isWhole = rest == 0, isOdd = isWhole && std::fmod(whole, 2) != 0;
    Value base = isWhole ? Value(math::AbsFOp::create(builder, getLoc(), x)) : x;
    Value power = powerOf(base, exponent);
    if (isOdd)
      power = math::CopySignOp::create(builder, getLoc(), power, x);
    return power;
  }
  Value result;
  if (whole != 0) {
    result = wholePower(s, x, int64_t(std::fabs(whole)));
    if (whole < 0)
      result = s.div(s.constant(1), result);
  }
  if (rest != 0) {
    Value root;
    if (std::fabs(rest) == 0.5) {
      root = math::SqrtOp::create(builder, getLoc(), x);
      if (rest < 0)
        root = s.div(s.constant(1), root);
    } else {
      root = powerOf(x, rest);
    }
    result = result ? s.mul(result, root) : root;
  }
  return result ? result : s.constant(1);
}
