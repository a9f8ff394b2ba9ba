//===- Roundings.cpp - What rounding does to a gradient -------------------===//
#include "Roundings.h"

#include "tt/Reference/Perturbation.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace tt;
using namespace tt::reference;

Values tt::test::gradientSpread(const Derivatives &derivatives, const Values &x,
                                const Values &u, Random &random) {
  Values g;
  std::string error;
  if (!derivatives.pullBack(x, u, g, error))
    return g;
  Values spread;
  for (const AnyTensor<double> &value : g)
    spread.push_back(Tensor<double>(value.shape()));
  for (int run = 0; run < kPerturbedRuns; ++run) {
    Options perturbed;
    perturbed.onValue = reference::Perturbation(random.bits());
    Values other;
    if (!derivatives.pullBack(x, u, other, error, perturbed))
      continue;
    for (auto [to, from, at] : llvm::zip_equal(spread, other, g))
      addSquaredChanges(from.floats(), at.floats(), to.floats().data);
  }
  for (AnyTensor<double> &value : spread)
    for (double &element : value.floats().data)
      element = std::sqrt(element);
  return spread;
}
