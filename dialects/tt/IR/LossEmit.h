//===- LossEmit.h - Parts that losses share ---------------------*- C++ -*-===//
#ifndef TT_IR_LOSSEMIT_H
#define TT_IR_LOSSEMIT_H

#include "tt/IR/Emit.h"

namespace tt {

/// ln sum e^x over `dims`; -inf for a slice of -inf.
mlir::Value emitLogSumExp(Emit &e, mlir::Value x, llvm::ArrayRef<int64_t> dims);

/// How far the f32 lse of adjoints may be from their own, as a part of it, to be taken
/// for that one rounded.
inline constexpr double kRoundedLse = 0x1p-20;

/// x and lse, whose difference is wanted; in types narrower than f64 both less the largest
/// x of their slice. There lse is the logarithm of the powers' sum, digits of which a
/// large lse cannot hold, if it is that rounded; else it is meant. The derivatives are
/// those of x and lse.
struct Centered {
  mlir::Value x, lse;
};
Centered emitCentered(Emit &e, mlir::Value x, mlir::Value lse, llvm::ArrayRef<int64_t> dims);

/// True in the rows whose target is in [0, classes) and is not `ignored`.
mlir::Value emitCountedRows(Emit &e, mlir::Value targets, int64_t classes,
                            int64_t ignored);

/// e^(logits - lse), in the type of lse; lse has one value per row.
mlir::Value emitSoftmaxFromLse(Emit &e, mlir::Value logits, mlir::Value lse);

/// How a row of logits becomes a loss: the options that tt.cross_entropy and
/// tt.linear_cross_entropy share. A rule has residuals in place of its operands,
/// so the weights come apart from the op.
struct LossForm {
  mlir::Value weights; ///< [V]; null if every class counts 1
  int64_t ignored;
  llvm::APFloat smoothing, zLoss;

  template <typename Op>
  static LossForm of(Op op, mlir::Value weights) {
    return {weights, int64_t(op.getIgnoreIndex()), op.getLabelSmoothing(), op.getZLoss()};
  }
};

/// The constraints on the options: label_smoothing in [0, 1], a z_loss that is finite,
/// also in the loss's `type`, and not negative.
mlir::LogicalResult checkLossForm(std::optional<mlir::Location> loc, llvm::StringRef op,
                                  const llvm::APFloat &smoothing,
                                  const llvm::APFloat &zLoss, mlir::FloatType type);

/// tt.cross_entropy and its adjoint with reduction none.
CrossEntropyOp emitRowLosses(Emit &e, mlir::Value logits, mlir::Value targets,
                             const LossForm &form);
mlir::Value emitRowLossesBwd(Emit &e, mlir::Value logits, mlir::Value targets,
                             mlir::Value lse, mlir::Value dLosses, const LossForm &form);

/// The cotangent [V] of the class weights: the sum over counted rows of `share` times
/// what each weight multiplies there. `meanLoss`, of one row each, is the loss if it
/// is a mean (w[t] stands in its divisor, too), else null.
mlir::Value emitWeightsCotangent(Emit &e, mlir::Value logits, mlir::Value targets,
                                 mlir::Value lse, const LossForm &form,
                                 mlir::Value share, mlir::Value meanLoss);
/// The tangent of each row's loss in the direction `dWeights`, with `meanLoss` as there;
/// 0 in rows that are not counted.
mlir::Value emitWeightsTangent(Emit &e, mlir::Value logits, mlir::Value targets,
                               mlir::Value lse, const LossForm &form,
                               mlir::Value dWeights, mlir::Value meanLoss);

/// `number`, but 1 where it is 0: what a mean divides by when nothing counts.
mlir::Value emitDivisor(Emit &e, mlir::Value number);

} // namespace tt

#endif
