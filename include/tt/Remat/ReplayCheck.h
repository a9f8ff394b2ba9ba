//===- ReplayCheck.h - Replays stay apart from the forward ------*- C++ -*-===//
#ifndef TT_REMAT_REPLAYCHECK_H
#define TT_REMAT_REPLAYCHECK_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tt {

/// Unit attribute on a call that runs a layer a second time.
inline constexpr llvm::StringLiteral kReplayAttr = "tt.replay";

/// Fails with a diagnostic if a replayed call of the adjoint function
/// `backward` reads a kept activation other than through tt.remat_barrier, or
/// reads no barrier at all: later passes could then merge it with the forward.
llvm::LogicalResult verifyReplays(mlir::func::FuncOp backward);

} // namespace tt

#endif
