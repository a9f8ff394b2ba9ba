//===- Shrink.h - Makes a failing program small -----------------*- C++ -*-===//
#ifndef TT_TEST_RANDOM_SHRINK_H
#define TT_TEST_RANDOM_SHRINK_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>

namespace tt::test {

/// Removes ops and calls, one change at a time, as long as `fails` still holds
/// of the module; `limit` bounds the number of times that it is asked. The
/// result is a copy. `fails` must hold of `module`.
mlir::OwningOpRef<mlir::ModuleOp>
shrink(mlir::ModuleOp module, const std::function<bool(mlir::ModuleOp)> &fails,
       int limit = 600);

/// Ops of all functions, terminators apart.
unsigned countOps(mlir::ModuleOp module);

} // namespace tt::test

#endif
