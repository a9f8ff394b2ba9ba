//===- ErrorBound.h - How far rounding may move a result --------*- C++ -*-===//
//
// The bound of a comparison with compiled code. It follows from precision and
// reduction depth, and from how the program itself magnifies errors:
//
//   * A value v of the program is changed to v (1 + u sqrt(d) xi), element by
//     element, xi uniform in [-1, 1]. u is half the distance from 1 to the next
//     number of v's type (2^-24 for f32), d the largest number of terms that the
//     op that makes v, or one that reads it, sums into an element: rounding
//     errors of d terms add up like a random walk. Where many elements of v are equal
//     they are rounded alike, and a second xi is a function of v. Whole numbers that
//     were made of whole numbers alone, as positions are, have no rounding and stay.
//   * So are the means of a row in the adjoint of a norm, by a factor 1 + u xi: where
//     they cancel what they are subtracted from, its result is their rounding.
//   * The interpreter runs in f64 on kPerturbedRuns such programs. S_j, the root mean
//     square of the changes of element j, is the error to expect there.
//   * Norm: |found - wanted| <= 6 |S| + 2 u |wanted|, by 2-norms.
//   * Element: |found_j - wanted_j| <= 12 max(S_j, |S| / sqrt(n))
//     + 2 u |wanted_j| + t, t the smallest normal number of the type.
//   * NaN is met by NaN only, and counted. An infinity is met by that infinity, and
//     by what its bound takes past the largest number of the type.
//   * Gradients have both bounds raised by 8 u 1e-3 |all gradients|: one that is
//     0 by cancellation inside an op is a few rounding errors of the others.
//
// With 8 runs S is known to about 25 %; were errors as the model says, a factor
// of 6 would be passed once in 3,000 comparisons and in fact the model errs on
// the large side, since it takes every sum for one chain.
//
//===----------------------------------------------------------------------===//
#ifndef TT_CHECK_ERRORBOUND_H
#define TT_CHECK_ERRORBOUND_H

#include "tt/Check/HostTensors.h"
#include "tt/Reference/Interpreter.h"
#include "tt/Reference/Perturbation.h"

#include <cmath>

namespace tt::check {

using reference::kElementFactor;
using reference::kNormFactor;
using reference::kPerturbedRuns;

/// What the interpreter says, and how far off a result may be.
struct Expectation {
  std::string name;
  HostTensor wanted;
  /// S above; empty for integers.
  std::vector<double> spread;
  /// Integers that a perturbed run changed: a decision within rounding.
  std::vector<bool> isUndecided;
  /// Finite elements that were not finite in the worst perturbed run: S does not know
  /// how far they move.
  int64_t numUnbounded = 0;
  double unit = 0, tiny = 0; // u and t of the result's type
  double largest = INFINITY; // its largest number
};

/// One result held against its bound.
struct Comparison {
  std::string name;
  double error = 0, bound = 0;   // by norms, relative to |wanted|
  int64_t worst = -1;            // element closest to, or furthest past, its bound
  double found = 0, wanted = 0;  // there
  bool passed = false;
  /// True if every element of a float result is NaN on both sides. Such elements
  /// are equal, but say nothing about the code.
  bool comparesNothing = false;
  /// True if rounding alone may make an element not finite: a failure says little.
  bool isUnbounded = false;
  std::string note;
};

/// Runs `function` of `module` once as it is and kPerturbedRuns times perturbed. The
/// perturbations follow from `seed`. In mode Typed `wanted` is what a run gives
/// that rounds every value to its type; S is as above. False and an error text on
/// failure.
bool expect(mlir::ModuleOp module, llvm::StringRef function,
            const std::vector<HostTensor> &inputs, uint64_t seed,
            std::vector<Expectation> &results, std::string &error,
            reference::Mode mode = reference::Mode::Ideal);

/// `found` has the expectation's type and shape. `floor` is added to both bounds.
Comparison compare(const Expectation &expectation, const HostTensor &found,
                   double floor = 0);
/// The floor of gradients: 8 u 1e-3 times the norm of all of them.
double gradientFloor(const std::vector<Expectation> &gradients);

/// "[1, 3]" for a row-major element number.
std::string positionText(const std::vector<int64_t> &shape, int64_t element);

} // namespace tt::check

#endif
