//===- RowLoop.h - Sweeps over rows of the last dimension -------*- C++ -*-===//
//
// Row numerics: element i of a row is on lane i mod 16, lanes are added in
// increasing order from the identity and combined by the tree (8, 4, 2, 1).
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_LOWERING_CPU_ROWLOOP_H
#define TT_LIB_LOWERING_CPU_ROWLOOP_H

#include "Epilogue.h"
#include "LoopNest.h"

namespace tt::cpu {

class RowLoop {
public:
  RowLoop(PhaseShell &shell, const KernelJob &job,
          llvm::ArrayRef<int64_t> rowShape);

  int64_t rows() const { return numRows; }
  int64_t width() const { return numColumns; }
  int64_t tasks() const;
  int64_t workerBytes() const { return scratchBytes; }
  llvm::ArrayRef<int64_t> statShape() const {
    return llvm::ArrayRef<int64_t>(shape).drop_back();
  }

  /// Emits the loop over the rows of the current task.
  void forRows(llvm::function_ref<void()> body);

  /// The position of the current row's statistics, and its number.
  const Position &stat() const { return statAt; }
  mlir::Value row() const { return rowIndex; }

  using Carried = llvm::SmallVector<mlir::Value>;
  /// One pass over the current row.
  Carried sweep(mlir::ValueRange carried,
                llvm::function_ref<Carried(const Position &, mlir::ValueRange)>
                    body);
  /// 16 lanes of a row-shaped value. The first sweep that reads a value that
  /// is more than a load keeps it in scratch for the others; say
  /// `endSweep()` between sweeps.
  mlir::Value read(mlir::Value value, const Position &at);
  void endSweep();
  /// A further scratch row, kept by the emitter.
  mlir::Value scratchRow();
  void storeScratch(mlir::Value scratch, const Position &at, mlir::Value value);
  mlir::Value loadScratch(mlir::Value scratch, const Position &at);

  /// value where the mask is set, else `identity`.
  mlir::Value masked(mlir::Value value, const Position &at, double identity);
  /// Sum of `terms` over the row, each formed by `term`.
  Carried sums(unsigned count,
               llvm::function_ref<Carried(const Position &)> term);
  /// The largest element of a row-shaped value; NaN does not count.
  mlir::Value max(mlir::Value value);
  mlir::Value splat(double value) { return e.splat(value); }

  /// Stores the yields of the current row: per-row values, then a last sweep
  /// for row-shaped ones.
  void storeYields(llvm::ArrayRef<ResultView> yields);

  LoopEmitter e;
  ElementBuilder builder;

private:
  struct Kept {
    mlir::Value value, scratch;
    bool bound;
  };
  const KernelJob &job;
  llvm::SmallVector<int64_t> shape;
  int64_t numRows, numColumns, scratchBytes = 0;
  Position statAt;
  mlir::Value rowIndex;
  llvm::SmallVector<Kept> kept;
};

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_ROWLOOP_H
