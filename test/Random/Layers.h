//===- Layers.h - Functions of random programs and their uses ---*- C++ -*-===//
#ifndef TT_TEST_RANDOM_LAYERS_H
#define TT_TEST_RANDOM_LAYERS_H

#include "ProgramScope.h"

namespace tt::test {

/// Makes private functions of one value and more arguments that return the value's
/// type, and calls of them.
class Layers {
public:
  Layers(mlir::ModuleOp module, const SnippetChoice &snippets, mlir::RankedTensorType type,
         reference::Random &random)
      : module(module), snippets(snippets), type(type), random(random) {}

  /// A layer, sometimes one that calls another, and a use of it in `program`: two or
  /// three calls in a row, or tt.repeat.
  void useLayer(ProgramScope &program);
  /// A call of tanh(x) * w with rules of its own, which are the true ones.
  void useCustomRule(ProgramScope &program);

private:
  mlir::func::FuncOp makeLayer(llvm::StringRef name, mlir::func::FuncOp inner);
  void call(ProgramScope &scope, mlir::func::FuncOp layer);
  void repeat(ProgramScope &scope, mlir::func::FuncOp layer);
  mlir::func::FuncOp makeFunction(llvm::StringRef name, unsigned numArguments,
                                  llvm::function_ref<llvm::SmallVector<mlir::Value>(
                                      Emit &, mlir::ValueRange)> body);

  mlir::ModuleOp module;
  const SnippetChoice &snippets;
  mlir::RankedTensorType type;
  reference::Random &random;
};

} // namespace tt::test

#endif
