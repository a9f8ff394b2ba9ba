//===- BuildEntries.h - Any function as entries of a library ----*- C++ -*-===//
#ifndef TT_LIB_CHECK_BUILDENTRIES_H
#define TT_LIB_CHECK_BUILDENTRIES_H

#include "tt/Pipelines/CompileEntries.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tt::check {

/// Arguments are inputs "arg0", ..., results outputs "result0", ....
inline constexpr llvm::StringLiteral kValuesEntry = "tt_check_values";
/// After them, inputs "cotangent0", ... of the live results; outputs
/// "d_arg0", ... of the arguments that reach one.
inline constexpr llvm::StringLiteral kGradientsEntry = "tt_check_gradients";

/// A copy of the function and of what it calls, and an entry that calls it, or
/// its adjoint pair with the options' checkpoint policy. Null with a text.
mlir::OwningOpRef<mlir::ModuleOp> buildValuesEntry(mlir::func::FuncOp function,
                                                   std::string &error);
mlir::OwningOpRef<mlir::ModuleOp> buildGradientsEntry(mlir::func::FuncOp function,
                                                      CompileOptions options,
                                                      std::string &error);

} // namespace tt::check

#endif
