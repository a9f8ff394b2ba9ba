//===- ProgramScope.h - One function of a random program --------*- C++ -*-===//
#ifndef TT_TEST_RANDOM_PROGRAMSCOPE_H
#define TT_TEST_RANDOM_PROGRAMSCOPE_H

#include "Snippets.h"

#include "tt/IR/Emit.h"
#include "tt/Reference/RandomInputs.h"

#include <deque>

namespace tt::test {

/// A function under construction and the float values that it has so far.
class ProgramScope {
public:
  ProgramScope(mlir::ModuleOp module, llvm::StringRef name, reference::Random &random);

  mlir::func::FuncOp function() { return func; }
  Emit &emit() { return out; }

  /// A new argument. Of the entry: a float one is a parameter (sometimes frozen)
  /// or an input; integers are inputs.
  mlir::Value addArgument(mlir::RankedTensorType type, llvm::StringRef stem,
                          Snippet::Argument range);
  /// A new argument with type and range of another function's, or of `count` such
  /// values stacked.
  mlir::Value addArgumentLike(mlir::func::FuncOp other, unsigned index, int64_t count = 0);
  void addValue(mlir::Value value);
  /// A float value chosen at random.
  mlir::Value anyValue();

  /// Clones a row of the op table onto operands of this scope.
  void apply(const Snippet &snippet);
  /// `value` brought to `shape`.
  mlir::Value adapt(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// tanh: keeps values from growing.
  mlir::Value bounded(mlir::Value value);
  /// Values that nothing reads, a few parameters that are read too.
  llvm::SmallVector<mlir::Value> unreadValues();
  /// The sum over `unreadValues` of the mean of their tanh.
  mlir::Value lossOfAll();

  void finish(llvm::ArrayRef<mlir::Value> results);

private:
  mlir::Value operandFor(const Snippet &snippet, unsigned index);
  mlir::Value flat(mlir::Value value);
  mlir::Value widen(mlir::Value flatValue, int64_t wanted);

  mlir::func::FuncOp func;
  mlir::OpBuilder builder;
  Emit out;
  reference::Random &random;
  std::vector<mlir::Value> values;
  unsigned counter = 0;
};

} // namespace tt::test

#endif
