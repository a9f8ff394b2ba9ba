//===- Activity.h - Which values carry derivatives --------------*- C++ -*-===//
//
// A value is varied when it depends differentiably on an active argument, and
// useful when a live result depends differentiably on it; it is active when it
// is both. Calls are looked through, once per (callee, active arguments, live
// results).
//
//===----------------------------------------------------------------------===//
#ifndef TT_AD_ACTIVITY_H
#define TT_AD_ACTIVITY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

namespace tt {

/// The active values of one function under one question.
struct FunctionActivity {
  llvm::DenseSet<mlir::Value> varied;
  llvm::DenseSet<mlir::Value> active;
  llvm::BitVector variedResults; // results that depend on an active argument
  llvm::BitVector usefulArguments; // active arguments that reach a live result
};

class ActivityAnalysis {
public:
  explicit ActivityAnalysis(mlir::ModuleOp module) : symbols(module) {}

  /// Analyses `function`; the answer stays valid while the IR does.
  const FunctionActivity &get(mlir::func::FuncOp function,
                              const llvm::BitVector &activeArguments,
                              const llvm::BitVector &liveResults);

  /// The function a call names.
  mlir::func::FuncOp callee(mlir::func::CallOp call);

  /// True if `value` is varied under some question asked so far.
  bool isVaried(mlir::Value value) const;

  /// For a call inside an analysed function: which operands and results are
  /// active.
  static llvm::BitVector activeOperands(mlir::Operation *op,
                                        const FunctionActivity &activity);
  static llvm::BitVector activeResults(mlir::Operation *op,
                                       const FunctionActivity &activity);

private:
  llvm::BitVector variedResults(mlir::func::FuncOp function,
                                const llvm::BitVector &activeArguments);

  mlir::SymbolTable symbols;
  using Key = std::pair<std::string, std::pair<std::vector<bool>, std::vector<bool>>>;
  std::map<Key, FunctionActivity> cache;
};

/// The bits as an ordered key, and as the list of set positions for attributes.
std::vector<bool> bitsOf(const llvm::BitVector &bits);
mlir::DenseI64ArrayAttr positionsOf(mlir::Builder &builder,
                                    const llvm::BitVector &bits);

/// True for tensors of floats, the only values with derivatives.
bool isDifferentiable(mlir::Type type);

} // namespace tt

#endif
