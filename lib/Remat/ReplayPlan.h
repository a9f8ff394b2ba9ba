//===- ReplayPlan.h - What is kept and what runs again ----------*- C++ -*-===//
#ifndef TT_LIB_REMAT_REPLAYPLAN_H
#define TT_LIB_REMAT_REPLAYPLAN_H

#include "LossChain.h"

#include "llvm/ADT/SetVector.h"

namespace tt {

/// One segment that is replayed.
struct Replay {
  mlir::func::CallOp before; // the adjoint call that it is placed before
  mlir::Value after;         // the cotangent that is there first
  llvm::SmallVector<mlir::Operation *> ops; // of @f_fwd, in its order
};

struct ReplayPlan {
  llvm::SmallVector<Replay> replays; // in forward order
  /// Calls in a replay whose residuals are read; the others run the primal.
  llvm::DenseSet<mlir::Operation *> taped;
  /// Values of @f_fwd that it returns after f's own results.
  llvm::SetVector<mlir::Value> kept;
  llvm::BitVector dropped; // residuals of @f_bwd
  unsigned numReplayed = 0; // layer calls
};

/// Follows the uses of every residual. Changes nothing.
ReplayPlan planReplays(const LossChain &chain, const ChainPlan &cuts);

/// Rewrites @f_fwd, @f_bwd, the description on @f_bwd and all callers.
llvm::LogicalResult applyReplays(const LossChain &chain, const ReplayPlan &plan);

} // namespace tt

#endif
