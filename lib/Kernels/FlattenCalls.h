//===- FlattenCalls.h - A call tree as one straight block -------*- C++ -*-===//
#ifndef TT_LIB_KERNELS_FLATTENCALLS_H
#define TT_LIB_KERNELS_FLATTENCALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tt {

/// Replaces every call in `function` by the callee's body, innermost first, and
/// removes what is dead afterwards. Fails on a cycle of calls.
llvm::LogicalResult flattenCalls(mlir::func::FuncOp function);

} // namespace tt

#endif
