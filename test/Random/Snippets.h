//===- Snippets.h - Rows of the op table as parts of programs ---*- C++ -*-===//
#ifndef TT_TEST_RANDOM_SNIPPETS_H
#define TT_TEST_RANDOM_SNIPPETS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace tt::test {

/// A row of the op table in f32, ready to be cloned into a program.
struct Snippet {
  std::string name;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  /// Range of each argument's values: of integers [low, high), of floats only
  /// whether they must be positive, and whether no derivative goes there.
  struct Argument {
    int64_t low = 0, high = 2;
    bool isPositive = false, isCut = false;
  };
  std::vector<Argument> arguments;
};

/// All rows whose function makes no calls and takes and returns f32, in the
/// order of the table; rows that differ in what is differentiated come once.
std::vector<Snippet> parseSnippets(mlir::MLIRContext &context);

} // namespace tt::test

#endif
