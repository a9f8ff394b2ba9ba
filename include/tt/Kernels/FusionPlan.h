//===- FusionPlan.h - Which ops share a kernel ------------------*- C++ -*-===//
#ifndef TT_KERNELS_FUSIONPLAN_H
#define TT_KERNELS_FUSIONPLAN_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace tt {

/// What the loops of a kernel are built around.
enum class Anchor {
  Elementwise,
  Row,       // reductions over the last dimension
  Column,    // reductions over all leading dimensions
  Reduce,    // other reductions, running sums, sorting
  Matmul,
  Attention, // attention, its adjoint, rope
  Scatter,   // embedding_bwd, scatter_add_rows
  Optimizer  // update, norms, keys
};
llvm::StringRef stringify(Anchor anchor);

/// Ops that one kernel runs, in program order. It stands where its last op is.
struct FusionGroup {
  Anchor anchor;
  mlir::Operation *anchorOp;
  llvm::SmallVector<mlir::Operation *> ops;
};

/// True for ops that a kernel repeats inside instead of reading their result.
bool isFreeInKernel(mlir::Operation *op);
/// True for anchors whose own operands must be arguments of the kernel: they
/// walk storage, so that nothing can be computed on the way.
bool readsArgumentsOnly(Anchor anchor);
/// True for ops that stay outside of kernels: they move no data, or their
/// operands are written in place.
bool staysOutside(mlir::Operation *op);

/// Groups the ops of `block`. Without `fuse` every op is a group. Groups come
/// in the order of their last ops.
llvm::SmallVector<FusionGroup> planFusion(mlir::Block &block, bool fuse);

} // namespace tt

#endif
