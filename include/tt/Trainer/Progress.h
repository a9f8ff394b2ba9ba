// How far the training is: a bar on a terminal, lines elsewhere.
#ifndef TT_TRAINER_PROGRESS_H
#define TT_TRAINER_PROGRESS_H

#include "tt/Trainer/Console.h"

#include <chrono>
#include <cstdint>
#include <optional>

namespace tt::trainer {

struct ProgressState {
  int64_t step = 0;
  int64_t steps = 0;
  float loss = 0;
  std::optional<float> validationLoss; // the last one
  double tokensPerSecond = 0;
  double secondsLeft = 0;
};

/// "1:02:03", "2:03"; "?" if it is not finite or past 99 days.
std::string formatDuration(double seconds);
/// "12.3k tok/s"
std::string formatRate(double tokensPerSecond);
/// Without newline; the bar is at most `width` columns, all ASCII.
std::string formatProgressBar(const ProgressState &state, unsigned width);
std::string formatProgressLine(const ProgressState &state);

class Progress {
public:
  Progress(Console &console, int64_t firstStep, int64_t steps,
           int64_t tokensPerStep);

  /// After a step; `evaluated`: with a validation loss.
  void update(int64_t step, float loss, std::optional<float> validationLoss,
              double stepSeconds);
  /// Removes the bar.
  void finish();
  double rate() const { return state.tokensPerSecond; }

private:
  using Clock = std::chrono::steady_clock;

  Console &console;
  const bool isBar;
  const int64_t tokensPerStep;
  const int64_t lineEvery;
  ProgressState state;
  double meanSeconds = 0; // per step, recent ones count more
  bool isFirst = true;
  bool isDrawn = false;
  Clock::time_point lastOutput;
};

} // namespace tt::trainer
#endif
