//===- Roundings.h - What rounding does to a gradient -----------*- C++ -*-===//
#ifndef TT_TEST_RANDOM_ROUNDINGS_H
#define TT_TEST_RANDOM_ROUNDINGS_H

#include "tt/Reference/Derivatives.h"
#include "tt/Reference/RandomInputs.h"

#include <vector>

namespace tt::test {

/// Gradients at inputs `x` and cotangents `u`, in runs whose every value is changed
/// by about its rounding error (tt/Check/ErrorBound.h). Runs that fail are left out.
std::vector<reference::Values> perturbedGradients(const reference::Derivatives &derivatives,
                                                  const reference::Values &x,
                                                  const reference::Values &u,
                                                  reference::Random &random);

/// The root mean square change of each element of the gradient in such runs.
reference::Values gradientSpread(const reference::Derivatives &derivatives,
                                 const reference::Values &x, const reference::Values &u,
                                 reference::Random &random);

} // namespace tt::test

#endif
