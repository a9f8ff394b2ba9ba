//===- CollapseDims.h - Which dimensions a nest may join --------*- C++ -*-===//
//
// Two neighbouring dimensions may be walked as one when every leaf stores them
// as one run. The joined index then stands in the inner dimension, beyond its
// size, and 0 in the outer one: every linear map of indices still gives the
// right address. This turns most elementwise kernels into one long loop.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_LOWERING_CPU_COLLAPSEDIMS_H
#define TT_LIB_LOWERING_CPU_COLLAPSEDIMS_H

#include "KernelSignature.h"

namespace tt::cpu {

/// The op is elementwise in its first operands although it has no scalar
/// builder: adamw. Returns these operands.
mlir::OperandRange elementwiseOperands(mlir::Operation *op);

struct JoinedDims {
  /// joined[i]: dimensions i and i + 1 may be walked as one.
  llvm::SmallVector<bool> joined;
  /// All are, and every leaf is one run: a reshape may keep the number.
  bool linear = false;
};

/// For `values` of one shape that are pulled at one position and stored to
/// `storage`.
JoinedDims joinableDims(const KernelSignature &signature,
                        llvm::ArrayRef<mlir::Value> values,
                        llvm::ArrayRef<StridedOperand> storage);

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_COLLAPSEDIMS_H
