//===- TanhExpansion.cpp - tanh of f32 in fixed arithmetic ----------------===//
//
// x + x^3 P(x^2) below 0.55, and 1 - 2 / (1 + e^(2 |x|)) with the sign of x
// from there on, which holds what is left of 1: the slope 1 - tanh^2 is nothing
// but that. Every op is a single IEEE operation or an fma: the bits are those
// of a scalar on every level.
//
//===----------------------------------------------------------------------===//
#include "TanhExpansion.h"
#include "ExpExpansion.h"

#include "tt/IR/Scalar.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tt::cpu;

namespace {

constexpr double kFromHere = 0.55;
/// From here on tanh is 1 in f32.
constexpr double kSaturated = 9.02;
/// (tanh(x) / x - 1) / x^2 in x^2, minimax for the relative error: 4e-8.
constexpr double kSmall[] = {-0.33332946636536565, 0.1332072505485773,
                             -0.05267181343789144, 0.01643758095864824};
/// (2^f - 1) / f on [-1/2, 1/2], minimax for the relative error of 2^f: 2e-9.
constexpr double kPower[] = {0.6931472028809509,    0.24022647910289582,
                             0.0555033240963098,    0.00961843760593683,
                             0.0013398900189791445, 0.00015353341113261859};

/// 1 + e^(2 size); size is bounded.
Value onePlusPower(tt::Scalar &s, Value size) {
  Value factor = s.constant(2 * kLog2E), whole = s.constant(kRoundToWhole);
  Value shifted = s.fma(size, factor, whole);
  Value rest = s.fma(size, factor, s.sub(whole, shifted)), one = s.constant(1);
  Value power = s.fma(s.polynomial(rest, kPower), rest, one);
  return s.fma(power, emitPowerOfTwo(s.b, s.loc, shifted), one);
}

struct ExpandTanh final : OpRewritePattern<math::TanhOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::TanhOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    Location loc = op.getLoc();
    tt::Scalar s{rewriter, loc, op.getType()};
    Value x = op.getOperand(), square = s.mul(x, x);
    Value small = s.fma(s.mul(square, x), s.polynomial(square, kSmall), x);

    Value size = math::AbsFOp::create(rewriter, loc, x);
    Value most = s.constant(kSaturated);
    Value bounded = s.select(s.isGreater(size, most), most, size); // or NaN
    Value rest = s.div(s.constant(2), onePlusPower(s, bounded));
    Value large = s.sub(s.constant(1), rest);
    Value result = s.select(s.isGreater(s.constant(kFromHere), size), small, large);
    rewriter.replaceOpWithNewOp<math::CopySignOp>(op, result, x); // -0 stays, too
    return success();
  }
};

} // namespace

void tt::cpu::populateTanhExpansionPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandTanh>(patterns.getContext(),
                           /*benefit=*/PatternBenefit(3));
}
