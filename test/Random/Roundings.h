//===- Roundings.h - What rounding does to a gradient -----------*- C++ -*-===//
#ifndef TT_TEST_RANDOM_ROUNDINGS_H
#define TT_TEST_RANDOM_ROUNDINGS_H

#include "tt/Reference/Derivatives.h"
#include "tt/Reference/RandomInputs.h"

namespace tt::test {

/// The root mean square change of each element of a gradient, at inputs `x` and
/// cotangents `u`, in runs whose every value is changed by about its rounding error
/// (tt/Check/ErrorBound.h).
reference::Values gradientSpread(const reference::Derivatives &derivatives,
                                 const reference::Values &x, const reference::Values &u,
                                 reference::Random &random);

} // namespace tt::test

#endif
