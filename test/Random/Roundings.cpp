//===- Roundings.cpp - What rounding does to a gradient -------------------===//
#include "Roundings.h"

#include "tt/Check/Perturbation.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace tt;
using namespace tt::reference;

std::vector<Values> tt::test::perturbedGradients(const Derivatives &derivatives,
                                                 const Values &x, const Values &u,
                                                 Random &random) {
  constexpr int kRuns = 8;
  std::vector<Values> gradients;
  for (int run = 0; run < kRuns; ++run) {
    Options perturbed;
    perturbed.onValue = check::Perturbation(random.bits());
    Values g;
    std::string error;
    if (derivatives.pullBack(x, u, g, error, perturbed))
      gradients.push_back(std::move(g));
  }
  return gradients;
}

Values tt::test::gradientSpread(const Derivatives &derivatives, const Values &x,
                                const Values &u, Random &random) {
  Values g;
  std::string error;
  if (!derivatives.pullBack(x, u, g, error))
    return g;
  Values spread;
  for (const AnyTensor<double> &value : g)
    spread.push_back(Tensor<double>(value.shape()));
  std::vector<Values> changed = perturbedGradients(derivatives, x, u, random);
  for (const Values &other : changed)
    for (auto [to, from, at] : llvm::zip_equal(spread, other, g))
      for (int64_t k = 0; k < to.floats().size(); ++k) {
        double change = from.floats()[k] - at.floats()[k];
        if (std::isfinite(change))
          to.floats()[k] += change * change / double(changed.size());
      }
  for (AnyTensor<double> &value : spread)
    for (double &element : value.floats().data)
      element = std::sqrt(element);
  return spread;
}
