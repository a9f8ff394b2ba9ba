//===- Snippets.h - Rows of the op table as parts of programs ---*- C++ -*-===//
#ifndef TT_TEST_RANDOM_SNIPPETS_H
#define TT_TEST_RANDOM_SNIPPETS_H

#include "tt/Reference/RandomInputs.h"

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

/// All rows whose function makes no calls and takes and returns f32; rows that differ
/// in what is differentiated come once.
class SnippetChoice {
public:
  explicit SnippetChoice(mlir::MLIRContext &context);

  /// An op, then one of the rows that begin with it: ops with few rows are as frequent
  /// as those with many.
  const Snippet &any(reference::Random &random) const;
  size_t size() const { return snippets.size(); }

private:
  std::vector<Snippet> snippets;
  std::vector<std::vector<size_t>> byOp;
};

} // namespace tt::test

#endif
