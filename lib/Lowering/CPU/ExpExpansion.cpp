//===- ExpExpansion.cpp - exp of f32 in fixed arithmetic ------------------===//
//
// e^x = 2^n e^r with whole n and r in [0, ln 2), so that n = -126 .. 127 gives
// every normal number and 2^n is 23 bits to the left of n + 127. Fifteen
// operations and no branch; every op is a single IEEE operation or an fma, so
// that the bits are those of a scalar on every level.
//
//===----------------------------------------------------------------------===//
#include "ExpExpansion.h"

#include "tt/IR/Scalar.h"
#include "tt/Lowering/CPU/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tt::cpu;

Value tt::cpu::emitPowerOfTwo(OpBuilder &builder, Location loc, Value shifted) {
  Type type = shifted.getType(), integers = builder.getI32Type();
  TypedAttr places = builder.getI32IntegerAttr(23);
  if (auto vector = dyn_cast<VectorType>(type)) {
    integers = vector.clone(integers);
    places = DenseElementsAttr::get(cast<VectorType>(integers), APInt(32, 23));
  }
  Value bits = arith::BitcastOp::create(builder, loc, integers, shifted);
  bits = arith::ShLIOp::create(builder, loc, bits,
                               arith::ConstantOp::create(builder, loc, places));
  return arith::BitcastOp::create(builder, loc, type, bits);
}

namespace {

/// ln 2 as a float and the rest of it.
constexpr double kLn2 = 0x1.62e43p-1, kLn2Rest = -0x1.05c61p-29;
/// What is added to x log2(e) for its floor to be the nearest whole number: a
/// half, less so much that 0 has n = 0 and r = 0, whose result is exact.
constexpr double kFloor = -0.4999;
/// (e^r - 1 - r) / r^2 on [0, ln 2], minimax for the relative error of e^r:
/// 3e-9.
constexpr double kCoefficients[] = {0.500002288645388, 0.16663187058668502,
                                    0.041855161546441595, 0.007868122712748933,
                                    0.0019126683060226902};

struct ExpandExp final : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF32())
      return failure();
    Location loc = op.getLoc();
    tt::Scalar s{rewriter, loc, type};
    // From here down n = -127, whose 2^n is 0. NaN stays.
    Value x = emitMax(rewriter, loc, s.constant(-88), op.getOperand());
    Value t = s.fma(x, s.constant(kLog2E), s.constant(kFloor));
    // From here up r grows beyond ln 2, and 2^127 e^r is infinite.
    Value most = s.constant(127.25);
    t = s.select(s.isGreater(most, t), t, most);
    Value whole = s.constant(kRoundToWhole), shifted = s.add(t, whole);
    Value minusN = s.sub(whole, shifted);
    Value r = s.fma(minusN, s.constant(kLn2), x);
    r = s.fma(minusN, s.constant(kLn2Rest), r);
    Value sum = s.polynomial(r, kCoefficients), one = s.constant(1);
    Value power = s.fma(s.fma(sum, r, one), r, one);
    Value scale = emitPowerOfTwo(rewriter, loc, shifted);
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, power, scale);
    return success();
  }
};

} // namespace

void tt::cpu::populateExpExpansionPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandExp>(patterns.getContext(), /*benefit=*/PatternBenefit(3));
}
