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

/// What a step takes. The last half minute of steps counts; of what comes between
/// them (evaluations, checkpoints) all, for it may be rare and long. The first
/// step, which touches all memory first, counts only until there is a second one.
class Pace {
public:
  /// A step of `stepSeconds`, which ended `wallSeconds` after the one before.
  void add(double stepSeconds, double wallSeconds);
  /// Of steps alone.
  double stepSeconds() const { return recentSeconds / recentSteps; }
  /// For so many steps more; NaN while nothing is known but a short first one.
  double secondsFor(int64_t steps) const;

private:
  double recentSeconds = 0, recentSteps = 0; // older ones weigh less
  double betweenSeconds = 0;
  int64_t count = 0;
};

class Progress {
public:
  Progress(Console &console, int64_t firstStep, int64_t steps,
           int64_t tokensPerStep);

  /// After a step; `evaluated`: with a validation loss.
  void update(int64_t step, float loss, std::optional<float> validationLoss,
              double stepSeconds);
  /// Removes the bar.
  void finish();

private:
  using Clock = std::chrono::steady_clock;

  Console &console;
  const bool isBar;
  const int64_t tokensPerStep;
  const int64_t lineEvery;
  ProgressState state;
  Pace pace;
  bool isFirst = true;
  bool isDrawn = false;
  Clock::time_point lastStep, lastOutput;
};

} // namespace tt::trainer
#endif
