//===- RandomSites.h - Sites of random ops ----------------------*- C++ -*-===//
#ifndef TT_FORMS_RANDOMSITES_H
#define TT_FORMS_RANDOMSITES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tt {

/// No two random ops of the function under one key have the same site: they would draw
/// the same numbers. A diagnostic on each op that has another's.
llvm::LogicalResult checkRandomSites(mlir::func::FuncOp function);

} // namespace tt

#endif
