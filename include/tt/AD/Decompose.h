//===- Decompose.h - Composite ops as simpler ops ---------------*- C++ -*-===//
#ifndef TT_AD_DECOMPOSE_H
#define TT_AD_DECOMPOSE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tt {

/// Replaces the ops of `function` that `isChosen` and that can be decomposed;
/// what comes out of one is decomposed in turn if it is chosen. Adds the number
/// of replaced ops to `count`. Fails, with a diagnostic on the op, where a
/// chosen op has no decomposition in its form.
llvm::LogicalResult
decomposeOps(mlir::func::FuncOp function,
             llvm::function_ref<bool(mlir::Operation *)> isChosen, unsigned &count);

/// Decomposes what stands between `active` arguments of `entry` and a derivative:
/// ops without derivative rules, here and in callees, that depend on one.
llvm::LogicalResult decomposeForDerivatives(mlir::func::FuncOp entry,
                                            const llvm::BitVector &active);

} // namespace tt

#endif
