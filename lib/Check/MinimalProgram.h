//===- MinimalProgram.h - A kernel, or an op of it, by itself ---*- C++ -*-===//
#ifndef TT_LIB_CHECK_MINIMALPROGRAM_H
#define TT_LIB_CHECK_MINIMALPROGRAM_H

#include "tt/Check/HostTensors.h"
#include "tt/IR/TTOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/MapVector.h"

namespace tt::check {

/// A function of its own with the values that it is to be run on.
struct MinimalProgram {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  std::vector<HostTensor> inputs;
};

/// All values of a kernel's body, as the interpreter computes them (typed) from
/// `inputs`; in the order of evaluation, arguments first.
using KernelValues = llvm::MapVector<mlir::Value, HostTensor>;
KernelValues evaluateKernel(KernelOp kernel, const std::vector<HostTensor> &inputs);

/// The kernel's ops as a function.
MinimalProgram wholeKernel(KernelOp kernel, const std::vector<HostTensor> &inputs);
/// One op of its body on the kernel's values.
MinimalProgram singleOp(mlir::Operation *op, const KernelValues &values);

/// BASE.mlir, with `comment` on top, and BASE.safetensors.
bool writeProgram(MinimalProgram &program, const std::string &base,
                  const std::string &comment, std::string &error);

} // namespace tt::check

#endif
