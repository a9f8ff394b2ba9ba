//===- Infer.h - Checks shared by result type inference ---------*- C++ -*-===//
#ifndef TT_IR_INFER_H
#define TT_IR_INFER_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

namespace tt {

/// Fails with a diagnostic unless `dim` is a dimension of `type`.
inline llvm::LogicalResult checkDim(std::optional<mlir::Location> loc,
                                    llvm::StringRef op,
                                    mlir::RankedTensorType type, int64_t dim) {
  if (dim >= 0 && dim < type.getRank())
    return mlir::success();
  return mlir::emitOptionalError(loc, "'", op, "' op expected a dimension in [0, ",
                                 type.getRank(), "), but got ", dim);
}

/// Fails unless `dims` are strictly increasing dimensions of `type`.
inline llvm::LogicalResult checkDims(std::optional<mlir::Location> loc,
                                     llvm::StringRef op,
                                     mlir::RankedTensorType type,
                                     llvm::ArrayRef<int64_t> dims) {
  int64_t previous = -1;
  for (int64_t dim : dims) {
    if (dim <= previous || dim >= type.getRank())
      return mlir::emitOptionalError(
          loc, "'", op, "' op expected dims to increase inside [0, ",
          type.getRank(), "), but got ", dim, " after ", previous);
    previous = dim;
  }
  return mlir::success();
}

} // namespace tt

#endif
