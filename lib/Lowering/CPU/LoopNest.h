//===- LoopNest.h - Walks an iteration space by 16 lanes --------*- C++ -*-===//
#ifndef TT_LIB_LOWERING_CPU_LOOPNEST_H
#define TT_LIB_LOWERING_CPU_LOOPNEST_H

#include "ElementBuilder.h"

namespace tt::cpu {

/// About this many elements make a task: 16 KiB of f32.
inline constexpr int64_t kTaskElements = 4096;
/// A kernel is not cut finer than this.
inline constexpr int64_t kMostTasks = 128;

/// Rows of `width` per task for `rows` in all.
int64_t rowsPerTask(int64_t rows, int64_t width);

/// An iteration shape with neighbours joined, and its split over tasks.
class LoopNest {
public:
  LoopNest(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<bool> joined);

  int64_t tasks() const { return rowBlocks * innerBlocks; }

  /// Walks blocks of 16 rows column by column: for leaves whose lanes lie far
  /// apart, so that a cache line serves 16 rows while it is near.
  void setBlocked();

  /// Emits the loops of one task; `body` runs at each position.
  void emit(LoopEmitter &e, mlir::Value task,
            llvm::function_ref<void(const Position &)> body) const;

private:
  Position position(LoopEmitter &e, mlir::Value outerIndex,
                    const LaneIndex &innerIndex) const;

  llvm::SmallVector<int64_t> shape;
  /// Sizes of the joined groups, and the dimension that carries each.
  llvm::SmallVector<int64_t> sizes, carriers;
  int64_t outer = 1, inner = 1;
  int64_t rowBlock, rowBlocks, innerBlock, innerBlocks;
  bool blocked = false;
};

/// The lanes of [0, size): whole vectors from `begin` to `end` (both multiples
/// of 16 or `size`), then the masked tail. `carried` goes from step to step.
llvm::SmallVector<mlir::Value> forLanes(
    LoopEmitter &e, int64_t size, mlir::Value begin, mlir::Value end,
    mlir::ValueRange carried,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(
        const LaneIndex &index, mlir::Value mask, mlir::ValueRange carried)>
        body);

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_LOOPNEST_H
