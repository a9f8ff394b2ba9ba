//===- FormChecks.h - The checks behind the forms ---------------*- C++ -*-===//
#ifndef TT_LIB_FORMS_FORMCHECKS_H
#define TT_LIB_FORMS_FORMCHECKS_H

#include "tt/Forms/Forms.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tt {

/// True for ops that belong to kernels and steps, not to functions of values.
bool isKernelLevel(mlir::Operation *op);

llvm::LogicalResult verifyGraphForm(mlir::ModuleOp module, Form form);
llvm::LogicalResult verifyKernelsForm(mlir::ModuleOp module);
llvm::LogicalResult verifyStepForm(mlir::ModuleOp module);
llvm::LogicalResult verifyPlannedForm(mlir::ModuleOp module);

/// Fails, on the op, unless the module holds ops of `Allowed` only.
template <typename... Allowed>
llvm::LogicalResult onlyHolds(mlir::ModuleOp module, llvm::StringRef form,
                              llvm::StringRef wanted) {
  bool ok = true;
  for (mlir::Operation &op : *module.getBody())
    if (!llvm::isa<Allowed...>(op)) {
      op.emitError() << form << " form: expected " << wanted << ", found "
                     << op.getName();
      ok = false;
    }
  return llvm::success(ok);
}

} // namespace tt

#endif
