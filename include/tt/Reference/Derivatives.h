//===- Derivatives.h - Runs the functions that AD built ---------*- C++ -*-===//
#ifndef TT_REFERENCE_DERIVATIVES_H
#define TT_REFERENCE_DERIVATIVES_H

#include "tt/Reference/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <functional>

namespace tt::reference {

using Values = std::vector<AnyTensor<double>>;

/// A function and the pair and the tangent function that tt-autodiff builds of
/// it. Reads their attributes `tt.adjoint` and `tt.tangent`.
class Derivatives {
public:
  /// May change the module that holds the pair, or the tangent function, before it
  /// is read.
  using Hook = std::function<bool(mlir::ModuleOp, std::string &)>;

  /// Runs the passes on copies of `module`; false with a text on failure. A parameter
  /// that no result depends on is one, or with `allowUnreached` not active.
  bool build(mlir::ModuleOp module, mlir::func::FuncOp function,
             llvm::StringRef wrt, std::string &error, const Hook &onPair = {},
             const Hook &onTangent = {}, bool allowUnreached = false);

  /// False if an op on the way has a reverse rule only, by its nature or since the
  /// user has given no other: such ops are `reverseOnly`, and only pullBack works.
  bool hasTangent() const { return bool(tangent); }
  struct ReverseOnly {
    std::string op, place; // "tt.grad_transform", "FILE:LINE:COLUMN"
  };
  const std::vector<ReverseOnly> &reverseOnly() const { return withoutTangent; }

  /// Arguments that are differentiated and reach a result; results that take
  /// a cotangent.
  llvm::ArrayRef<int64_t> active() const { return activeArguments; }
  llvm::ArrayRef<int64_t> live() const { return liveResults; }

  /// One value per active argument, from one cotangent per live result.
  bool pullBack(const Values &inputs, const Values &cotangents, Values &result,
                std::string &error, const Options &options = {}) const;
  /// One value per live result, from one tangent per active argument.
  bool pushForward(const Values &inputs, const Values &tangents, Values &result,
                   std::string &error, const Options &options = {}) const;

  /// The results of the function itself, from its forward function and from its
  /// tangent function (none if there is none).
  bool primalResults(const Values &inputs, Values &ofForward, Values &ofTangent,
                     std::string &error) const;

private:
  bool runPass(mlir::ModuleOp module, llvm::StringRef mode,
               llvm::StringRef wrt, std::string &error);
  bool buildTangent(mlir::ModuleOp module, llvm::StringRef wrt, std::string &error);
  bool readPair(std::string &error);
  bool readTangent(std::string &error);

  std::string name;
  bool allowUnreached = false;
  mlir::OwningOpRef<mlir::ModuleOp> pairModule, tangentModule;
  mlir::func::FuncOp forward, backward, tangent;
  std::vector<std::string> residuals; // "argument:I", "result:I", "extra:I"
  std::vector<int64_t> activeArguments, liveResults;
  std::vector<int64_t> tangentArguments, tangentResults;
  std::vector<ReverseOnly> withoutTangent;
  unsigned numResults = 0;
  mlir::FunctionType type;
};

} // namespace tt::reference

#endif
