//===- MathExpansion.cpp - Math ops to fixed arithmetic -------------------===//
//
// Transcendental ops become the polynomials of upstream MLIR, which are made
// of single arith ops and math.fma: every lane rounds like a scalar, on every
// level. Nothing may be left that would become a call into libm.
//
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "tt/Lowering/CPU/VectorMath.h"
#include "llvm/ADT/STLExtras.h"

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
  // First to f32 for narrower types, then to polynomials.
  populateMathF32ExpansionPatterns(patterns, hasPolynomial, /*benefit=*/2);
  populateMathPolynomialApproximationPatterns(patterns, hasPolynomial);
  // Conversions from and to bf16 by integer ops: no call, equal on all levels.
  arith::populateExpandBFloat16Patterns(patterns);
  math::populateExpansionPatterns(patterns,
                                  {"sinh", "cosh", "tan", "asinh", "acosh",
                                   "atanh", "exp2", "fpowi", "powf"});
}
