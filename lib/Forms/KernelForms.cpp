//===- KernelForms.cpp - Kernels and the functions that call them ---------===//
#include "FormChecks.h"

using namespace mlir;
using namespace tt;

/// Views move no data; they stand outside of kernels.
static bool isView(Operation *op) {
  return isa<ReshapeOp, TransposeOp, SliceOp, StopGradientOp, RematBarrierOp>(op);
}

/// What --tt-tile-attention puts around tt ops; its kernels have `tt.roles`.
static bool isTiling(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  return dialect == "scf" || dialect == "arith" || dialect == "tensor";
}

static LogicalResult checkKernel(KernelOp kernel) {
  static const llvm::StringLiteral anchors[] = {
      "elementwise", "row",       "column",  "reduce",
      "matmul",      "attention", "scatter", "optimizer"};
  if (!llvm::is_contained(anchors, kernel.getAnchor()))
    return kernel.emitOpError() << "kernels form: unknown anchor '"
                                << kernel.getAnchor() << "'";
  bool ok = true;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    bool value = isa_and_present<TTDialect>(op.getDialect()) && !isKernelLevel(&op);
    if (value && !isView(&op) && !isa<ConcatOp>(op))
      continue;
    if (kernel->hasAttr("tt.roles") && isTiling(&op))
      continue;
    op.emitOpError() << "is not allowed in a kernel";
    ok = false;
  }
  return success(ok);
}

LogicalResult tt::verifyKernelsForm(ModuleOp module) {
  if (failed(onlyHolds<func::FuncOp, KernelOp>(module, "kernels",
                                               "functions and kernels")))
    return failure();
  bool ok = true;
  for (auto kernel : module.getOps<KernelOp>())
    ok &= succeeded(checkKernel(kernel));
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    for (Operation &op : function.getBody().getOps()) {
      if (isView(&op) || isa<CallKernelOp, ConcatOp, ConstantOp, func::CallOp,
                             func::ReturnOp>(op))
        continue;
      op.emitOpError() << "is not allowed outside of a kernel in kernels form";
      ok = false;
    }
  }
  return success(ok);
}
