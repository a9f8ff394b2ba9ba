//===- CrossEntropyRows.h - A row's target and its powers -------*- C++ -*-===//
//
// What the loss over a vocabulary and its adjoint share.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_LOWERING_CPU_CROSSENTROPYROWS_H
#define TT_LIB_LOWERING_CPU_CROSSENTROPYROWS_H

#include "RowLoop.h"

namespace tt::cpu {

/// Fails with an error where the first operand is not f32.
mlir::LogicalResult checkLossElement(mlir::Operation *op);

/// Targets and the count of counted rows.
class LossRows {
public:
  LossRows(mlir::Value logits, mlir::Value targets, int64_t ignoreIndex);

  /// i1 or lanes of it: the target is a class and is not ignored.
  mlir::Value isCounted(LoopEmitter &e, mlir::Value target);
  /// One 16-lane sweep over the rows, in row-major order.
  llvm::SmallVector<mlir::Value>
  overRows(LoopEmitter &e, ElementBuilder &builder, mlir::ValueRange carried,
           llvm::function_ref<llvm::SmallVector<mlir::Value>(
               const Position &, mlir::Value row, mlir::ValueRange)>
               body);
  /// The number of counted rows as f32.
  mlir::Value count(LoopEmitter &e, ElementBuilder &builder);
  mlir::Value scalar(LoopEmitter &e, double value);

  mlir::Value targets;
  int64_t ignoreIndex;
  llvm::ArrayRef<int64_t> shape;
  int64_t rows;
};

/// The target of the current row.
struct RowTarget {
  mlir::Value target;    // as it is given
  mlir::Value isCounted; // i1
  mlir::Value lanes;     // i32: its column, or -1 if it does not count

  RowTarget(RowLoop &row, LossRows &loss);
  /// Lanes of i1: the target's column.
  mlir::Value isAt(RowLoop &row, const Position &at) const;
  /// The target's logit, a scalar; some other one if it does not count.
  mlir::Value logit(RowLoop &row, mlir::Value logits) const;
};

/// e^(x - max) of the current row: of the target, 0 if it does not count, and
/// the sum of the others. The sum of both does not hold the digits of the
/// smaller one, and a sure prediction's loss and gradient are nothing but that.
struct PowerSums {
  mlir::Value max, logit; // scalars
  mlir::Value ofTarget, ofOthers;

  /// `keep`, if given, sees each power.
  PowerSums(RowLoop &row, LossRows &loss, const RowTarget &target,
            mlir::Value x,
            llvm::function_ref<void(const Position &, mlir::Value power)> keep =
                nullptr);
};

} // namespace tt::cpu

#endif
