// The learning rate of each step.
#ifndef TT_TRAINER_SCHEDULE_H
#define TT_TRAINER_SCHEDULE_H

#include <cstdint>

namespace tt::trainer {

/// Rises linearly from peak / warmup at step 1 to peak at step `warmup`, then
/// stays (constant) or falls on half a cosine to `floor` at step `steps`.
struct Schedule {
  bool isConstant = false;
  double peak = 0;
  double floor = 0;
  int64_t warmup = 0;
  int64_t steps = 0;

  /// Steps count from 1.
  float at(int64_t step) const;
};

} // namespace tt::trainer
#endif
