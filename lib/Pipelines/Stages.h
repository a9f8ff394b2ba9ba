//===- Stages.h - The order of the rooms ------------------------*- C++ -*-===//
#ifndef TT_LIB_PIPELINES_STAGES_H
#define TT_LIB_PIPELINES_STAGES_H

#include "tt/Pipelines/Compile.h"

#include "mlir/IR/BuiltinOps.h"

namespace tt {

/// Refuses a dimension above 2^40 and a tensor above 2^47 bytes.
llvm::LogicalResult checkSizes(mlir::ModuleOp module);
/// Refuses an argument of the function to compile (empty: the only public one)
/// that has no role, or a type that the CPU does not take in its role.
llvm::LogicalResult checkEntry(mlir::ModuleOp module, llvm::StringRef function);

/// Graph -> adjoint pairs, checkpointed.
llvm::LogicalResult runAdjointStage(mlir::ModuleOp module, const CompileOptions &options);
/// -> entries, kernels, flat steps.
llvm::LogicalResult runKernelStage(mlir::ModuleOp module, const CompileOptions &options);
/// Functions that are entries as they are -> kernels, flat steps.
llvm::LogicalResult runEntryStage(mlir::ModuleOp module,
                                  llvm::ArrayRef<std::string> entries,
                                  const CompileOptions &options);
/// -> addresses.
llvm::LogicalResult runMemoryStage(mlir::ModuleOp module);

} // namespace tt

#endif
