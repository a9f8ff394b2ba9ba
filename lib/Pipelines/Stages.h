//===- Stages.h - The order of the rooms ------------------------*- C++ -*-===//
#ifndef TT_LIB_PIPELINES_STAGES_H
#define TT_LIB_PIPELINES_STAGES_H

#include "tt/Pipelines/Compile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tt {

/// False with a text that names the first option with a value that cannot be, or
/// says why the output files cannot be made.
bool checkOptions(const CompileOptions &options, std::string &error);

/// Writes `check.range` on arguments of the function to compile (empty: the public
/// ones) that have none and whose readers want positive numbers.
void nameRanges(mlir::ModuleOp module, llvm::StringRef function);

/// Refuses a value in a function that is no tensor of static shape.
llvm::LogicalResult checkTypes(mlir::ModuleOp module);
/// Refuses a dimension above 2^40 and a tensor above 2^47 bytes.
llvm::LogicalResult checkSizes(mlir::ModuleOp module);
/// Refuses functions that run more ops than a library can launch in a call.
llvm::LogicalResult checkExpansion(mlir::ModuleOp module);
/// Refuses attributes that neither the dialects nor the compiler know.
llvm::LogicalResult checkAttributes(mlir::ModuleOp module);
/// Refuses a dimension of 0: kernels have no code for it.
llvm::LogicalResult checkNotEmpty(mlir::ModuleOp module);
/// Refuses arguments and results of more dimensions than a library's tables hold.
llvm::LogicalResult checkRanks(mlir::func::FuncOp entry);
/// Refuses an empty tensor, and an argument of the function to compile (empty: the
/// only public one) that has no role, two, another one's name, or a type that the
/// CPU does not take in its role, and random ops with one key and one site.
llvm::LogicalResult checkEntry(mlir::ModuleOp module, llvm::StringRef function);

/// Refuses several public functions without the name of one, and where a training step
/// is wanted a loss that is no scalar or updates something, and names that entries have.
llvm::LogicalResult checkLoss(mlir::ModuleOp module, llvm::StringRef function, bool isTrained);

/// Graph -> adjoint pairs, checkpointed.
llvm::LogicalResult runAdjointStage(mlir::ModuleOp module, const CompileOptions &options);
/// What follows tt-autodiff in that stage: clean-up and checkpoints.
llvm::LogicalResult runPairStage(mlir::ModuleOp module, const CompileOptions &options);
/// -> entries, kernels, flat steps. `forms`, unless null, gets the module as it
/// was when the kernels were formed and not tiled yet.
llvm::LogicalResult runKernelStage(mlir::ModuleOp module, const CompileOptions &options,
                                   mlir::OwningOpRef<mlir::ModuleOp> *forms = nullptr);
/// Functions that are entries as they are -> kernels, flat steps.
llvm::LogicalResult runEntryStage(mlir::ModuleOp module,
                                  llvm::ArrayRef<std::string> entries,
                                  const CompileOptions &options);
/// -> addresses.
llvm::LogicalResult runMemoryStage(mlir::ModuleOp module);

} // namespace tt

#endif
