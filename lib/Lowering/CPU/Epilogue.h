//===- Epilogue.h - What may follow an anchor -------------------*- C++ -*-===//
#ifndef TT_LIB_LOWERING_CPU_EPILOGUE_H
#define TT_LIB_LOWERING_CPU_EPILOGUE_H

#include "KernelSignature.h"

namespace tt::cpu {

/// Fails with a diagnostic unless all uses of the anchors' results keep the
/// position: elementwise ops, a value per row broadcast along the row of shape
/// `rowShape` (empty: no such use), and reshapes and transposes that only lead
/// to yields.
mlir::LogicalResult checkEpilogue(llvm::ArrayRef<mlir::Operation *> anchors,
                                  llvm::ArrayRef<int64_t> rowShape = {});

/// The yields with the storage that belongs to one of `shapes`; fails with a
/// diagnostic if a yield has none of them.
mlir::FailureOr<llvm::SmallVector<ResultView>>
matchYields(const KernelJob &job,
            llvm::ArrayRef<llvm::ArrayRef<int64_t>> shapes);

/// The contracted size of a tt.linear or tt.matmul.
int64_t contractedSize(mlir::Operation *op);

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_EPILOGUE_H
