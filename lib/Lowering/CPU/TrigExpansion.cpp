//===- TrigExpansion.cpp - sin and cos of f32 in fixed arithmetic ---------===//
//
// x - n pi/2 is formed in f64, where it is exact to 2^-50 for every f32: numbers of 2^48
// and more are split into x 2^(-24 q), below 2^48, times 2^(24 q) mod 2 pi, which is a
// constant. The polynomials are the Taylor series on [-pi/4, pi/4], in f64 too, so that
// the result is rounded once. Every op is a single IEEE operation or an fma: the bits are
// those of a scalar on every level.
//
//===----------------------------------------------------------------------===//
#include "TrigExpansion.h"

#include "tt/IR/Scalar.h"
#include "tt/Lowering/CPU/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tt::cpu;

namespace {

/// pi/2 and 2^(24 q) mod 2 pi for q = 1 .. 4, each as a double and the rest of it.
constexpr double kHalfPi = 0x1.921fb54442d18p+0, kHalfPiRest = 0x1.1a62633145c07p-54;
struct Power {
  double high, rest;
};
constexpr Power kPowers[] = {{-0x1.c9b6498c1137fp-1, -0x1.2643605c762f1p-58},
                             {0x1.09f4683d25023p-3, 0x1.fee10ecf6f246p-59},
                             {0x1.ee6639887604dp-3, 0x1.8b437ad3f55e0p-58},
                             {0x1.89a58c41dc40cp+1, -0x1.27745096c7eeep-53}};

/// Doubles of the shape of an f32 value.
struct Doubles : tt::Scalar {
  Doubles(OpBuilder &b, Location loc, Type like) : Scalar{b, loc, b.getF64Type()} {
    if (auto vector = dyn_cast<VectorType>(like))
      type = VectorType::get(vector.getShape(), type);
  }
  Value widen(Value x) { return arith::ExtFOp::create(b, loc, type, x); }
  Value round(Value x) { return math::RoundEvenOp::create(b, loc, x); }
  Value abs(Value x) { return math::AbsFOp::create(b, loc, x); }
  Value isAtLeast(Value x, double bound) {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE, x, constant(bound));
  }
  Value equals(Value x, double y) {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x, constant(y));
  }
};

/// x = angle + n pi/2 (mod 2 pi), n whole, angle in about [-pi/4, pi/4].
struct Reduced {
  Value angle, quarters;
};
} // namespace

static Reduced reduce(Doubles &d, Value x) {
  Value size = d.abs(x), scaled = x, high = d.constant(1), rest = d.constant(0);
  for (auto [q, power] : llvm::enumerate(kPowers)) {
    int shift = 24 * (int(q) + 1);
    Value isLarge = d.isAtLeast(size, std::ldexp(1.0, 24 + shift));
    scaled = d.select(isLarge, d.mul(x, d.constant(std::ldexp(1.0, -shift))), scaled);
    high = d.select(isLarge, d.constant(power.high), high);
    rest = d.select(isLarge, d.constant(power.rest), rest);
  }
  // scaled (high + rest) = product + low, of which the first is below 2^51.
  Value product = d.mul(scaled, high);
  Value low = d.fma(scaled, rest, d.fma(scaled, high, d.neg(product)));
  Value quarters = d.round(d.mul(product, d.constant(0x1.45f306dc9c883p-1))); // 2 / pi
  Value minus = d.neg(quarters);
  Value angle = d.fma(minus, d.constant(kHalfPi), product);
  return {d.add(angle, d.fma(minus, d.constant(kHalfPiRest), low)), quarters};
}

/// sin(x + shift pi/2), of f32.
static Value emitSine(OpBuilder &b, Location loc, Value x, int shift) {
  Doubles d(b, loc, x.getType());
  Reduced reduced = reduce(d, d.widen(x));
  Value r = reduced.angle, square = d.mul(r, r);
  Value sine = d.mul(r, d.polynomial(square, {1, -1.0 / 6, 1.0 / 120, -1.0 / 5040,
                                              1.0 / 362880, -1.0 / 39916800,
                                              1.0 / 6227020800}));
  Value cosine = d.polynomial(square, {1, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320,
                                       -1.0 / 3628800, 1.0 / 479001600});
  // The quarter modulo 4, as one of -2, -1, 0, 1, 2.
  Value n = d.add(reduced.quarters, d.constant(shift));
  Value turns = d.round(d.mul(n, d.constant(0.25)));
  Value quarter = d.fma(turns, d.constant(-4), n), size = d.abs(quarter);
  Value result = d.select(d.equals(size, 1), d.mul(quarter, cosine), sine);
  result = d.select(d.equals(size, 2), d.neg(sine), result);
  Value narrow = arith::TruncFOp::create(b, loc, x.getType(), result);
  if (shift != 0)
    return narrow;
  Value zero = splatConstant(b, loc, x.getType(), 0); // sin(-0) is -0
  Value isZero = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x, zero);
  return arith::SelectOp::create(b, loc, isZero, x, narrow);
}

namespace {
template <typename Op, int shift> struct ExpandTrig final : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    rewriter.replaceOp(op, emitSine(rewriter, op.getLoc(), op.getOperand(), shift));
    return success();
  }
};
} // namespace

void tt::cpu::populateTrigExpansionPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandTrig<math::SinOp, 0>, ExpandTrig<math::CosOp, 1>>(
      patterns.getContext(), /*benefit=*/PatternBenefit(3));
}
