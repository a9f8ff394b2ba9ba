//===- Adjoint.h - Forward, reverse and tangent functions -------*- C++ -*-===//
#ifndef TT_AD_ADJOINT_H
#define TT_AD_ADJOINT_H

#include "tt/AD/Activity.h"

#include <optional>

namespace tt {

/// Where the caller of an adjoint pair finds a residual.
struct ResidualSource {
  enum Kind { Argument, Result, Extra } kind;
  unsigned index;
};

/// A pair @f_fwd, @f_bwd for one set of active arguments and live results.
struct AdjointPair {
  mlir::func::FuncOp primal, forward, backward;
  llvm::BitVector active; // arguments of f that the backward has results for
  llvm::BitVector live;   // results of f that the backward takes cotangents of
  /// The leading arguments of the backward, in order.
  llvm::SmallVector<ResidualSource> residuals;
  unsigned numExtra = 0; // results of the forward after f's own
};

/// Attribute on @f_bwd that holds what AdjointPair does, so that later passes
/// and tools can read a pair from the text.
inline constexpr llvm::StringLiteral kAdjointAttr = "tt.adjoint";
/// Attribute on @f_jvp: dictionary {primal, active, results}.
inline constexpr llvm::StringLiteral kTangentAttr = "tt.tangent";

/// Reads the pair described on a backward function; nullopt if it has none.
std::optional<AdjointPair> readAdjoint(mlir::func::FuncOp backward);

/// Builds adjoint pairs on demand, each distinct (callee, active, live) once.
class AdjointBuilder {
public:
  explicit AdjointBuilder(mlir::ModuleOp module)
      : module(module), activity(module) {}

  /// Null on failure, with a diagnostic emitted.
  const AdjointPair *get(mlir::func::FuncOp function,
                         const llvm::BitVector &active,
                         const llvm::BitVector &live);

  /// Fails if an op that `get` would differentiate has no rule: one error that names
  /// every kind of such an op.
  llvm::LogicalResult checkRules(mlir::func::FuncOp function,
                                 const llvm::BitVector &active,
                                 const llvm::BitVector &live);

  unsigned numPairs() const { return pairs.size(); }
  ActivityAnalysis &getActivity() { return activity; }

private:
  struct Builder;
  using Key = std::pair<std::string, std::pair<std::vector<bool>, std::vector<bool>>>;

  mlir::ModuleOp module;
  ActivityAnalysis activity;
  std::map<Key, AdjointPair> pairs;
};

/// Builds @f_jvp functions on demand.
class TangentBuilder {
public:
  explicit TangentBuilder(mlir::ModuleOp module)
      : module(module), activity(module) {}

  /// Arguments: f's, then the tangents of the active ones. Results: f's, then
  /// the tangents of `results`.
  struct Function {
    mlir::func::FuncOp function;
    llvm::BitVector active, results;
  };

  /// Null on failure, with a diagnostic emitted.
  const Function *get(mlir::func::FuncOp function, const llvm::BitVector &active);

private:
  using Key = std::pair<std::string, std::vector<bool>>;
  mlir::ModuleOp module;
  ActivityAnalysis activity;
  std::map<Key, Function> functions;
};

/// Fails with a diagnostic if a call cycle is reachable from `function`, or a
/// callee is not defined, or a body has more than one block.
llvm::LogicalResult checkCallTree(mlir::func::FuncOp function);

/// The function called `name`, or the only public one; null, with a diagnostic,
/// if there is none or more than one.
mlir::func::FuncOp findEntry(mlir::ModuleOp module, llvm::StringRef name);

/// The arguments that `wrt` (params, all, or numbers) names.
mlir::FailureOr<llvm::BitVector> parseWrt(mlir::func::FuncOp function,
                                          llvm::StringRef wrt);

/// Fails, naming the argument, if one of `wrt` does not reach a live result; `hint` is
/// the other way out besides freezing it.
llvm::LogicalResult checkReached(const AdjointPair &pair, const llvm::BitVector &wrt,
                                 llvm::StringRef hint);

/// A name based on `base` that no symbol of `module` has.
std::string freshSymbol(mlir::ModuleOp module, const llvm::Twine &base);

} // namespace tt

#endif
