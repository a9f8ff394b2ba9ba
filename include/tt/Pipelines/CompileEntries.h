//===- CompileEntries.h - Libraries of any functions ------------*- C++ -*-===//
#ifndef TT_PIPELINES_COMPILEENTRIES_H
#define TT_PIPELINES_COMPILEENTRIES_H

#include "tt/Pipelines/Compile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tt {

/// Builds the adjoint pair of options.function in `module`, with the options'
/// checkpoint policy, as a training library does. False with the diagnostic.
bool differentiate(mlir::ModuleOp module, const CompileOptions &options,
                   std::string &error);

/// Compiles `module` into a library whose entries are the functions `entries` as
/// they are, without gradients or a training step of their own. All arguments
/// have roles. Consumes the module; errors are as those of compileModel.
bool compileEntries(mlir::ModuleOp module, const std::vector<std::string> &entries,
                    const CompileOptions &options, CompileResult &result,
                    std::string &error);

/// What a training library runs, before code is generated.
struct StepPlan {
  /// Planned steps and kernels, launch by launch those of the library.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The same steps, unplanned; kernels have the same names, and attention is
  /// one op in them.
  mlir::OwningOpRef<mlir::ModuleOp> untiled;
  std::string hash; // that of the library
};

/// Plans options.input as compileModel would.
bool planModel(mlir::MLIRContext &context, const CompileOptions &options, StepPlan &plan,
               std::string &error);

} // namespace tt

#endif
