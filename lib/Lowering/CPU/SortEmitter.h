//===- SortEmitter.h - Lines in stable order --------------------*- C++ -*-===//
#ifndef TT_LIB_LOWERING_CPU_SORTEMITTER_H
#define TT_LIB_LOWERING_CPU_SORTEMITTER_H

#include "KernelSignature.h"

namespace tt::cpu {

/// tt.sort or tt.topk, whose types have been checked.
mlir::LogicalResult emitSort(const KernelJob &job, mlir::Operation *anchor,
                             llvm::ArrayRef<ResultView> yields,
                             EmittedKernel &emitted);

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_SORTEMITTER_H
