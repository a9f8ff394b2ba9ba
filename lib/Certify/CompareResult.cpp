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
  int64_t differing = 0, numbers = 0;
  // Not finite in the same way: lse of a row without keys, operands out of range.
  auto agree = [](double a, double b) {
    return (std::isinf(a) && a == b) || (std::isnan(a) && std::isnan(b));
  };
  for (int64_t j = 0; j < ideal.floats().size(); ++j) {
    double truth = ideal.floats()[j], value = found.floats()[j], rounded = typed.floats()[j];
    numbers += !std::isnan(truth);
    if (agree(value, truth) || agree(value, rounded))
      continue;
    if (!std::isfinite(truth) || !std::isfinite(value) || !std::isfinite(rounded)) {
      ++differing;
      continue;
    }
    largest = std::max(largest, std::fabs(truth));
    rounding = std::max(rounding, std::fabs(rounded - truth));
    finding.value = std::max(finding.value, std::fabs(value - truth));
  }
  finding.bound = 8 * 0x1p-24 * std::sqrt(double(depth)) * largest + kTypedFactor * rounding;
  bool isEmpty = ideal.floats().size() == 0;
  finding.passed = !differing && (numbers || isEmpty) && finding.value <= finding.bound;
  finding.note = std::to_string(ideal.floats().size()) + " elements, depth " +
                 std::to_string(depth);
  if (differing)
    finding.note += ", " + std::to_string(differing) +
                    " not finite where the interpreter's are, or the other way round";
  else if (!numbers && !isEmpty)
    finding.note += ", none of them a number with any of the operands drawn";
}
