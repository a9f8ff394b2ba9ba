//===- Cotangents.h - Accumulation of cotangents ----------------*- C++ -*-===//
#ifndef TT_AD_COTANGENTS_H
#define TT_AD_COTANGENTS_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace tt {

/// Contributions to the cotangent of each primal value, in the order of the
/// reverse sweep. No entry is a symbolic zero.
class Cotangents {
public:
  /// Adds a contribution to the cotangent of `primal`.
  void add(mlir::Value primal, mlir::Value contribution);

  /// The sum of the contributions, added in order, or null. Slices that were
  /// padded back and cover the value exactly become one concat.
  mlir::Value take(mlir::OpBuilder &builder, mlir::Value primal);

private:
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 2>> parts;
};

} // namespace tt

#endif
