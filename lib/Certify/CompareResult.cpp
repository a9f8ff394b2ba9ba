//===- CompareResult.cpp - A kernel's result against its bound ------------===//
#include "tt/Certify/KernelSample.h"

#include <cmath>

using namespace tt;
using namespace tt::certify;

void tt::certify::compareResult(const reference::AnyTensor<double> &found,
                                const reference::AnyTensor<double> &ideal,
                                const reference::AnyTensor<double> &typed, int64_t depth,
                                Finding &finding) {
  if (!ideal.isFloat()) {
    for (auto [a, b] : llvm::zip_equal(found.ints().data, ideal.ints().data))
      finding.value += a != b;
    finding.passed = finding.value == 0;
    finding.note = "integers that differ";
    return;
  }
  double largest = 0, rounding = 0;
  bool isFinite = true;
  for (int64_t j = 0; j < ideal.floats().size(); ++j) {
    double truth = ideal.floats()[j], value = found.floats()[j];
    if (value == truth && std::isinf(truth)) // lse of a row that sees no key
      continue;
    isFinite &= std::isfinite(truth) && std::isfinite(value);
    largest = std::max(largest, std::fabs(truth));
    rounding = std::max(rounding, std::fabs(typed.floats()[j] - truth));
    finding.value = std::max(finding.value, std::fabs(value - truth));
  }
  finding.bound = 8 * 0x1p-24 * std::sqrt(double(depth)) * largest + 4 * rounding;
  finding.passed = isFinite && finding.value <= finding.bound;
  finding.note = std::to_string(ideal.floats().size()) + " elements, depth " +
                 std::to_string(depth);
  if (!isFinite)
    finding.note += ", not finite";
}
