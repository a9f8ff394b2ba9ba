//===- MathExpansion.cpp - Math ops to fixed arithmetic -------------------===//
//
// Transcendental ops become the polynomials of upstream MLIR, which are made
// of single arith ops and math.fma: every lane rounds like a scalar, on every
// level. Nothing may be left that would become a call into libm.
//
//===----------------------------------------------------------------------===//
#include "ExpExpansion.h"
#include "TanhExpansion.h"
#include "TrigExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "tt/Lowering/CPU/VectorMath.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;
using namespace tt::cpu;

namespace {

/// math.rsqrt(x) -> 1 / sqrt(x), both rounded; never the estimate instruction.
struct ExpandRsqrt final : OpRewritePattern<math::RsqrtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::RsqrtOp op,
                                PatternRewriter &rewriter) const override {
    Value one = splatConstant(rewriter, op.getLoc(), op.getType(), 1.0);
    Value root = math::SqrtOp::create(rewriter, op.getLoc(), op.getOperand());
    rewriter.replaceOpWithNewOp<arith::DivFOp>(op, one, root);
    return success();
  }
};

/// The polynomial of the logarithm takes a number below the smallest normal one for
/// that: such a one is multiplied by 2^23 first.
struct ScaleLog final : OpRewritePattern<math::LogOp> {
  using OpRewritePattern::OpRewritePattern;
  static constexpr StringLiteral kScaled = "tt.scaled";
  LogicalResult matchAndRewrite(math::LogOp op, PatternRewriter &rewriter) const override {
    if (op->hasAttr(kScaled) || !getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    Location loc = op.getLoc();
    Value x = op.getOperand();
    auto constant = [&](double value) {
      return splatConstant(rewriter, loc, op.getType(), value);
    };
    Value isSmall = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OLT, x,
                                          constant(0x1p-126));
    Value larger = arith::MulFOp::create(rewriter, loc, x, constant(0x1p23));
    auto log = math::LogOp::create(
        rewriter, loc, arith::SelectOp::create(rewriter, loc, isSmall, larger, x));
    log->setAttr(kScaled, rewriter.getUnitAttr());
    Value less = arith::SubFOp::create(rewriter, loc, log, constant(23 * M_LN2));
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isSmall, less, log);
    return success();
  }
};

} // namespace

/// True for ops that become polynomials.
static bool hasPolynomial(StringRef name) {
  static constexpr StringLiteral names[] = {
      "math.acos", "math.asin",  "math.atan", "math.atan2", "math.cbrt",
      "math.cos",  "math.erf",   "math.erfc", "math.exp",   "math.expm1",
      "math.log",  "math.log1p", "math.log2", "math.sin",   "math.tanh"};
  return llvm::is_contained(names, name);
}

void tt::cpu::populateMathExpansionPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandRsqrt>(patterns.getContext());
  patterns.add<ScaleLog>(patterns.getContext(), /*benefit=*/PatternBenefit(3));
  populateExpExpansionPatterns(patterns);
  populateTanhExpansionPatterns(patterns);
  populateTrigExpansionPatterns(patterns);
  // First to f32 for narrower types, then to polynomials.
  populateMathF32ExpansionPatterns(patterns, hasPolynomial, /*benefit=*/2);
  populateMathPolynomialApproximationPatterns(patterns, hasPolynomial);
  // Conversions from and to bf16 by integer ops: no call, equal on all levels.
  arith::populateExpandBFloat16Patterns(patterns);
  math::populateExpansionPatterns(patterns,
                                  {"sinh", "cosh", "tan", "asinh", "acosh",
                                   "atanh", "exp2", "fpowi", "powf"});
}
