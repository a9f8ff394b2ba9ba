//===- Perturbation.h - Rounding errors as random factors -------*- C++ -*-===//
#ifndef TT_REFERENCE_PERTURBATION_H
#define TT_REFERENCE_PERTURBATION_H

#include "tt/Reference/Interpreter.h"
#include "tt/Reference/RandomInputs.h"

#include "llvm/ADT/DenseMap.h"

namespace tt::reference {

/// Half the distance from 1 to the next number of a float type; 0 for integers.
double unitRoundoff(mlir::Type element);
/// The smallest positive normal number of a float type.
double smallestNormal(mlir::Type element);
/// The largest finite number of a float type.
double largestNumber(mlir::Type element);

/// The most terms that `op` sums into one element of a result; 0 for an op that
/// only moves elements.
double reductionDepth(mlir::Operation *op);

/// Changes the values of a run as tt/Check/ErrorBound.h says, `times` as far.
class Perturbation {
public:
  explicit Perturbation(uint64_t seed, double times = 1) : random(seed), times(times) {}
  void operator()(mlir::Value value, AnyTensor<double> &tensor);

private:
  double scaleOf(mlir::Value value);

  Random random;
  double times;
  llvm::DenseMap<mlir::Value, double> scales;
};

/// Perturbed runs of which S of tt/Check/ErrorBound.h is the root mean square.
inline constexpr int kPerturbedRuns = 8;
/// Runs the function that often with values that each run changes, and hands over the
/// results. False with an error if the interpreter refuses it.
bool forEachPerturbedRun(
    mlir::ModuleOp module, llvm::StringRef function,
    const std::vector<AnyTensor<double>> &inputs, uint64_t seed,
    llvm::function_ref<void(const std::vector<AnyTensor<double>> &)> handle,
    std::string &error);
/// The factors of S there, in the bound of a norm and of an element.
inline constexpr double kNormFactor = 6, kElementFactor = 12;

/// Adds the share of one perturbed run in S^2, element by element, to `squares`. What is
/// not finite, as a number that is infinite in both runs, has no part.
void addSquaredChanges(const Tensor<double> &changed, const Tensor<double> &truth,
                       std::vector<double> &squares);

} // namespace tt::reference

#endif
