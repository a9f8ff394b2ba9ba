//===- Stages.h - The order of the rooms ------------------------*- C++ -*-===//
#ifndef TT_LIB_PIPELINES_STAGES_H
#define TT_LIB_PIPELINES_STAGES_H

#include "tt/Pipelines/Compile.h"

#include "mlir/IR/BuiltinOps.h"

namespace tt {

/// Graph -> adjoint pairs, checkpointed.
llvm::LogicalResult runAdjointStage(mlir::ModuleOp module, const CompileOptions &options);
/// -> entries, kernels, flat steps.
llvm::LogicalResult runKernelStage(mlir::ModuleOp module, const CompileOptions &options);
/// -> addresses.
llvm::LogicalResult runMemoryStage(mlir::ModuleOp module);

} // namespace tt

#endif
