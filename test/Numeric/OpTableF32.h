//===- OpTableF32.h - The rows of the op table that compile -----*- C++ -*-===//
#ifndef TT_TEST_NUMERIC_OPTABLEF32_H
#define TT_TEST_NUMERIC_OPTABLEF32_H

#include "OpTable.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace tt::test {

/// A row with f32 for f64: the table is written in f64, which is not compiled.
struct RowF32 {
  std::string name; // of the first of the rows that have this text
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function; // @f
  std::vector<reference::AnyTensor<double>> inputs; // as in the table; may be empty
  std::string wideText;                             // the row as it is, in f64
};

/// One row per text, without those that need another float type.
std::vector<RowF32> opTableInF32(mlir::MLIRContext &context);

} // namespace tt::test

#endif
