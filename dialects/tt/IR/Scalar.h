//===- Scalar.h - Float arithmetic for scalar builders ----------*- C++ -*-===//
#ifndef TT_LIB_IR_SCALAR_H
#define TT_LIB_IR_SCALAR_H

#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"

namespace tt {

/// Arithmetic on scalars or vectors of one float type.
struct Scalar {
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type type;

  mlir::Value constant(double value) {
    mlir::Type element = mlir::getElementTypeOrSelf(type);
    auto attr = b.getFloatAttr(element, value);
    if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
      return mlir::arith::ConstantOp::create(b, loc, mlir::SplatElementsAttr::get(vector, attr));
    return mlir::arith::ConstantOp::create(b, loc, attr);
  }
  mlir::Value add(mlir::Value x, mlir::Value y) { return mlir::arith::AddFOp::create(b, loc, x, y); }
  mlir::Value sub(mlir::Value x, mlir::Value y) { return mlir::arith::SubFOp::create(b, loc, x, y); }
  mlir::Value mul(mlir::Value x, mlir::Value y) { return mlir::arith::MulFOp::create(b, loc, x, y); }
  mlir::Value div(mlir::Value x, mlir::Value y) { return mlir::arith::DivFOp::create(b, loc, x, y); }
  mlir::Value neg(mlir::Value x) { return mlir::arith::NegFOp::create(b, loc, x); }
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z) { return mlir::math::FmaOp::create(b, loc, x, y, z); }
  mlir::Value exp(mlir::Value x) { return mlir::math::ExpOp::create(b, loc, x); }
  mlir::Value tanh(mlir::Value x) { return mlir::math::TanhOp::create(b, loc, x); }
  /// Of -0 it is -0, which upstream's polynomial loses.
  mlir::Value erf(mlir::Value x) {
    return mlir::math::CopySignOp::create(b, loc, mlir::math::ErfOp::create(b, loc, x), x);
  }
  mlir::Value sigmoid(mlir::Value x) {
    mlir::Value one = constant(1);
    return div(one, add(one, exp(neg(x))));
  }
  /// c[0] + c[1] x + ..., by Horner.
  mlir::Value polynomial(mlir::Value x, llvm::ArrayRef<double> c) {
    mlir::Value sum = constant(c.back());
    for (double coefficient : llvm::reverse(c.drop_back()))
      sum = fma(sum, x, constant(coefficient));
    return sum;
  }
  /// False for NaN.
  mlir::Value isGreater(mlir::Value x, mlir::Value y) {
    return mlir::arith::CmpFOp::create(b, loc, mlir::arith::CmpFPredicate::OGT, x, y);
  }
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no) {
    return mlir::arith::SelectOp::create(b, loc, condition, yes, no);
  }
  /// x sigmoid(x)
  mlir::Value silu(mlir::Value x) { return div(x, add(constant(1), exp(neg(x)))); }
};

/// For the type of the last operand.
inline Scalar scalarFor(mlir::OpBuilder &b, mlir::Operation *op,
                        mlir::ValueRange operands) {
  return {b, op->getLoc(), operands.back().getType()};
}

} // namespace tt

#define TT_SCALAR(OP, FORMULA)                                                 \
  Value OP::buildScalar(OpBuilder &builder, ValueRange v) {                    \
    Scalar s = scalarFor(builder, *this, v);                                   \
    (void)s;                                                                   \
    FORMULA                                                                    \
  }

#endif
