#include "tt/Trainer/Schedule.h"

#include <algorithm>
#include <cmath>

using namespace tt::trainer;

float Schedule::at(int64_t step) const {
  double rate = peak;
  if (step < warmup) {
    rate = peak * static_cast<double>(step) / static_cast<double>(warmup);
  } else if (!isConstant && steps > warmup) {
    double part = static_cast<double>(step - warmup) /
                  static_cast<double>(steps - warmup);
    constexpr double kPi = 3.14159265358979323846;
    rate = floor +
           0.5 * (peak - floor) * (1 + std::cos(kPi * std::min(part, 1.0)));
  }
  return static_cast<float>(rate);
}
