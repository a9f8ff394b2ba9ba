//===- Rounding.cpp - Rounding to an element type -------------------------===//
#include "Rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;

namespace {
/// A binary float format.
struct Format {
  int precision;   // bits of the significand, the hidden one included
  int minExponent; // of the smallest normal number, 2^minExponent
  int maxExponent; // of the largest finite one, 2^maxExponent <= max
};
constexpr Format kBF16 = {8, -126, 127};
constexpr Format kF16 = {11, -14, 15};
} // namespace

/// To a multiple of the last place that the format has at this magnitude; one
/// rounding, so that f64 -> bf16 does not go through f32.
static double roundToFormat(Format format, double value) {
  if (value == 0 || !std::isfinite(value))
    return value;
  int exponent = std::max(std::ilogb(value), format.minExponent);
  int lastPlace = exponent - (format.precision - 1);
  double rounded =
      std::ldexp(std::nearbyint(std::ldexp(value, -lastPlace)), lastPlace);
  if (std::fabs(rounded) >= std::ldexp(1.0, format.maxExponent + 1))
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  return rounded;
}

double tt::reference::roundTo(Type element, double value) {
  if (element.isF32())
    return double(float(value));
  if (element.isBF16())
    return roundToFormat(kBF16, value);
  if (element.isF16())
    return roundToFormat(kF16, value);
  return value;
}

int64_t tt::reference::wrapTo(Type element, int64_t value) {
  switch (element.isIndex() ? 64 : element.getIntOrFloatBitWidth()) {
  case 1:
    return value & 1;
  case 8:
    return int8_t(value);
  case 32:
    return int32_t(value);
  default:
    return value;
  }
}
