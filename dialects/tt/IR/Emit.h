//===- Emit.h - Short forms for emitting tt ops in rules --------*- C++ -*-===//
//
// Rules read like their formulas when each op is one call. Every function
// takes tensors of one type unless it says otherwise.
//
//===----------------------------------------------------------------------===//
#ifndef TT_IR_EMIT_H
#define TT_IR_EMIT_H

#include "tt/IR/TTOps.h"

namespace tt {

class Emit {
public:
  Emit(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value neg(mlir::Value a);
  mlir::Value exp(mlir::Value a);
  mlir::Value log(mlir::Value a);
  mlir::Value rsqrt(mlir::Value a);
  mlir::Value tanh(mlir::Value a);
  /// 1 - tanh(a)^2 with all its digits: written so, it loses them where tanh nears 1.
  mlir::Value tanhSlope(mlir::Value a);
  mlir::Value sigmoid(mlir::Value a);
  mlir::Value erf(mlir::Value a);
  mlir::Value abs(mlir::Value a);
  mlir::Value maximum(mlir::Value a, mlir::Value b);
  /// `a` without a derivative.
  mlir::Value stopGradient(mlir::Value a);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  mlir::Value compare(ComparePredicate predicate, mlir::Value a, mlir::Value b);

  /// A constant of `type`, every element `value`.
  mlir::Value splat(mlir::Type type, double value);
  /// Every element of `a` times `factor`.
  mlir::Value scale(mlir::Value a, double factor);
  /// `a + factor` in every element.
  mlir::Value shift(mlir::Value a, double summand);
  /// `a + b`, where either may be null (zero); null if both are.
  mlir::Value addOrNull(mlir::Value a, mlir::Value b);

  /// `a` cast to element type `element`; `a` itself if it has it.
  mlir::Value cast(mlir::Value a, mlir::Type element);
  /// `a` repeated to `shape` with operand dimension i at `dims[i]`.
  mlir::Value broadcast(mlir::Value a, llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<int64_t> dims);
  /// A per-row value [..] repeated along a new last dimension, as `like`.
  mlir::Value alongRow(mlir::Value perRow, mlir::Value like);
  /// A vector [C] repeated for every row of `like` [.., C].
  mlir::Value perColumn(mlir::Value vector, mlir::Value like);
  /// Sum or mean over the last dimension.
  mlir::Value rowSum(mlir::Value a);
  mlir::Value rowMean(mlir::Value a);
  /// Sum over `dims`, which disappear.
  mlir::Value sumOver(mlir::Value a, llvm::ArrayRef<int64_t> dims);
  /// `reduced`, which has lost `dims`, repeated along them, as `like`.
  mlir::Value alongDims(mlir::Value reduced, mlir::Value like,
                        llvm::ArrayRef<int64_t> dims);
  /// Maximum over the last dimension.
  mlir::Value rowMax(mlir::Value a);
  /// Sum over all dimensions.
  mlir::Value total(mlir::Value a);
  /// Sum over all dimensions but the last.
  mlir::Value columnSum(mlir::Value a);
  mlir::Value reshape(mlir::Value a, llvm::ArrayRef<int64_t> shape);
  /// Indices along `dim`, of type `element`, in the shape of `like`.
  mlir::Value iotaLike(mlir::Value like, int64_t dim, mlir::Type element);
  /// The same in i32.
  mlir::Value iotaLike(mlir::Value like, int64_t dim);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// Shape of a ranked tensor value.
inline llvm::ArrayRef<int64_t> shapeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType()).getShape();
}
inline mlir::RankedTensorType tensorOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// The accumulation type of a float element type: f64 for f64, else f32.
mlir::FloatType accumulationType(mlir::Type element);

} // namespace tt

#endif
