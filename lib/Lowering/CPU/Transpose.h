//===- Transpose.h - Square transposes in registers -------------*- C++ -*-===//
#ifndef TT_LIB_LOWERING_CPU_TRANSPOSE_H
#define TT_LIB_LOWERING_CPU_TRANSPOSE_H

#include "mlir/IR/Builders.h"

namespace tt::cpu {

/// Transposes the square made of 8 vectors of 8 or 16 vectors of 16 values, by
/// shuffles that map to the unpack and 128-bit lane instructions of x86.
void emitTranspose(mlir::OpBuilder &builder, mlir::Location loc,
                   llvm::MutableArrayRef<mlir::Value> rows);

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_TRANSPOSE_H
