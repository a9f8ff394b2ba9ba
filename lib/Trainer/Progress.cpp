#include "tt/Trainer/Progress.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

using namespace tt::trainer;

std::string tt::trainer::formatDuration(double seconds) {
  constexpr double kLimit = 99 * 86400.0;
  if (!(seconds >= 0 && seconds < kLimit))
    return "?";
  auto whole = static_cast<int64_t>(seconds + 0.5);
  int64_t hours = whole / 3600, minutes = whole / 60 % 60;
  return hours ? fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60)
               : fmt::format("{}:{:02}", minutes, whole % 60);
}

std::string tt::trainer::formatRate(double rate) {
  if (!std::isfinite(rate))
    return "? tok/s";
  if (rate >= 1e6)
    return fmt::format("{:.2f}M tok/s", rate / 1e6);
  return rate >= 1e4 ? fmt::format("{:.1f}k tok/s", rate / 1e3)
                     : fmt::format("{:.0f} tok/s", rate);
}

static std::string formatLosses(const ProgressState &state) {
  std::string text = fmt::format("loss {:.4f}", state.loss);
  if (state.validationLoss)
    text += fmt::format("  val {:.4f}", *state.validationLoss);
  return text;
}

std::string tt::trainer::formatProgressBar(const ProgressState &state,
                                           unsigned width) {
  std::string left = fmt::format("step {}/{} ", state.step, state.steps);
  std::string right = fmt::format(" {}  {}  {} left", formatLosses(state),
                                  formatRate(state.tokensPerSecond),
                                  formatDuration(state.secondsLeft));
  size_t taken = left.size() + right.size() + 2;
  size_t room = taken + 5 <= width ? std::min<size_t>(width - taken, 40) : 0;
  std::string bar;
  if (room) {
    auto full = static_cast<size_t>(
        static_cast<double>(room) * static_cast<double>(state.step) /
        static_cast<double>(std::max<int64_t>(state.steps, 1)));
    full = std::min(full, room);
    bar = "[" + std::string(full, '#') + std::string(room - full, '.') + "]";
  }
  return (left + bar + right).substr(0, width);
}

std::string tt::trainer::formatProgressLine(const ProgressState &state) {
  return fmt::format("step {}/{}  {}  {}  {} left", state.step, state.steps,
                     formatLosses(state), formatRate(state.tokensPerSecond),
                     formatDuration(state.secondsLeft));
}

void Pace::add(double stepSeconds, double wallSeconds) {
  constexpr double kWindow = 30;
  double kept = count == 1 ? 0 : std::exp(-stepSeconds / kWindow);
  recentSeconds = kept * recentSeconds + stepSeconds;
  recentSteps = kept * recentSteps + 1;
  betweenSeconds += std::max(0.0, wallSeconds - stepSeconds);
  ++count;
}

double Pace::secondsFor(int64_t steps) const {
  constexpr double kLongStep = 1;
  if (count == 0 || (count == 1 && recentSeconds < kLongStep))
    return steps > 0 ? std::numeric_limits<double>::quiet_NaN() : 0;
  return static_cast<double>(steps) *
         (stepSeconds() + betweenSeconds / static_cast<double>(count));
}

Progress::Progress(Console &console, int64_t firstStep, int64_t steps,
                   int64_t tokensPerStep)
    : console(console), isBar(console.isTerminal()),
      tokensPerStep(tokensPerStep),
      lineEvery(std::max<int64_t>(1, (steps - firstStep) / 20)) {
  state.steps = steps;
}

void Progress::update(int64_t step, float loss,
                      std::optional<float> validationLoss, double stepSeconds) {
  Clock::time_point now = Clock::now();
  std::chrono::duration<double> wall = now - lastStep;
  pace.add(stepSeconds, isFirst ? stepSeconds : wall.count());
  lastStep = now;
  state.step = step;
  state.loss = loss;
  if (validationLoss)
    state.validationLoss = validationLoss;
  state.tokensPerSecond = static_cast<double>(tokensPerStep) / pace.stepSeconds();
  state.secondsLeft = pace.secondsFor(state.steps - step);

  std::chrono::duration<double> since = now - lastOutput;
  bool isDue = isFirst || validationLoss || step == state.steps;
  isFirst = false;
  if (isBar)
    isDue = isDue || since.count() > 0.1;
  else
    isDue = isDue || step % lineEvery == 0 || since.count() > 30;
  if (!isDue)
    return;
  lastOutput = now;
  isDrawn = isBar;
  // The last column stays free: some terminals wrap when it is written.
  console.print(isBar ? "\r" + formatProgressBar(state, console.width() - 1) +
                            "\x1b[K"
                      : formatProgressLine(state) + "\n");
}

void Progress::finish() {
  if (isDrawn)
    console.print("\r\x1b[K" + formatProgressLine(state) + "\n");
  isDrawn = false;
}
