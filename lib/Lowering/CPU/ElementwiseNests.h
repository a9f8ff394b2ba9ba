//===- ElementwiseNests.h - Yields as loop nests ----------------*- C++ -*-===//
#ifndef TT_LIB_LOWERING_CPU_ELEMENTWISENESTS_H
#define TT_LIB_LOWERING_CPU_ELEMENTWISENESTS_H

#include "LoopNest.h"
#include <vector>

namespace tt::cpu {

/// A value and where its elements go.
struct NestItem {
  mlir::Value value;
  StridedOperand storage;
};

/// Values of one shape that are computed together at each position.
struct ElementwiseNest {
  llvm::SmallVector<NestItem> items;
  LoopNest loops;
  bool linear = false; // see JoinedDims
};

/// The nests that store `items`. A concat becomes its parts.
std::vector<ElementwiseNest> planNests(const KernelJob &job,
                                             llvm::ArrayRef<NestItem> items);

/// All yields with their results.
llvm::SmallVector<NestItem> yieldedItems(const KernelJob &job);

/// Emits the nests of one phase; returns its number of tasks. `task` is the
/// number of the task among them.
int64_t emitNests(LoopEmitter &e, ElementBuilder &builder,
                  llvm::ArrayRef<ElementwiseNest> nests, mlir::Value task);

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_ELEMENTWISENESTS_H
