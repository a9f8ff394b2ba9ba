//===- InPlace.h - Which results may overwrite an argument ------*- C++ -*-===//
#ifndef TT_LIB_LOWERING_CPU_INPLACE_H
#define TT_LIB_LOWERING_CPU_INPLACE_H

#include "KernelSignature.h"

namespace tt::cpu {

llvm::SmallVector<InPlacePair>
findInPlacePairs(const KernelJob &job,
                 llvm::ArrayRef<mlir::Operation *> anchors);

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_INPLACE_H
