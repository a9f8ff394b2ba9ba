//===- GradientCheck.h - Checks derivatives of a function -------*- C++ -*-===//
//
// Four checks of @f_fwd/@f_bwd and @f_jvp against @f, all evaluated by the
// interpreter in f64: Taylor remainder, dot product, complex step, central
// differences. The directional derivative is of phi(x) = <u, f(x)> along v
// for random u and v; g = J^T u.
//
//===----------------------------------------------------------------------===//
#ifndef TT_REFERENCE_GRADIENTCHECK_H
#define TT_REFERENCE_GRADIENTCHECK_H

#include "tt/Reference/Tensor.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <string>

namespace tt::reference {

struct GradientCheckOptions {
  /// Empty takes the only public function.
  std::string function;
  /// As the option of tt-autodiff: all, params, or argument numbers.
  std::string wrt = "all";
  uint64_t seed = 1;
  int directions = 3;
  /// Empty: random ones, see randomInputs.
  std::vector<AnyTensor<double>> inputs;
  /// Every active argument by itself, however many there are, and whether it
  /// gets a gradient at all. What a certificate asks.
  bool eachArgument = false;
  /// A parameter that no result depends on is left alone; else it is an error.
  bool allowUnreached = false;
  /// Ends with the first check that fails.
  bool stopAtFailure = false;
  /// Called on the module that holds @f_fwd and @f_bwd before they are run:
  /// for later passes of a pipeline. False, with a text, stops the check.
  std::function<bool(mlir::ModuleOp, std::string &)> onPair;
  /// The same for the module that holds @f_jvp.
  std::function<bool(mlir::ModuleOp, std::string &)> onTangent;
};

/// One check along one direction.
struct GradientCheckRow {
  std::string check;
  std::string direction;
  double value = 0;
  double bound = 0;
  bool isLowerBound = false; // of a slope; else value must not exceed bound
  bool passed = false;
  std::string note;
  int64_t argument = -1; // the only one that the direction moves; -1: all
};

/// A check that says nothing of this function, and the op that it cannot pass.
struct LeftOutCheck {
  std::string check, op, place, why;
};

struct GradientReport {
  std::vector<GradientCheckRow> rows;
  std::vector<LeftOutCheck> leftOut;
  /// Why nothing could be checked.
  std::string error;

  bool passed() const;
  std::string table() const;
};

/// Builds the derivatives on copies of the module with the registered pass
/// tt-autodiff; the module stays as it is.
GradientReport checkGradient(mlir::ModuleOp module,
                             const GradientCheckOptions &options);

} // namespace tt::reference

#endif
