#include "tt/Trainer/RunSettings.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>

using namespace tt::trainer;

void RunSettings::resolve() {
  if (minLearningRate < 0)
    minLearningRate = learningRate / 10;
  if (warmup < 0)
    warmup = std::min<int64_t>(100, steps / 10);
}

Schedule RunSettings::makeSchedule() const {
  return {schedule == "constant", learningRate, minLearningRate, warmup, steps};
}

bool RunSettings::check(const std::string &place, std::string &error) const {
  auto require = [&](bool isGood, const char *name, const auto &found,
                     const std::string &wanted) {
    if (!isGood && error.empty())
      error = fmt::format("{}--{}: found {}, wanted {}", place, name, found,
                          wanted);
  };
  constexpr int64_t kMaxSteps = 1000000000;
  auto isCount = [&](int64_t value) {
    return value >= 0 && value <= kMaxSteps;
  };
  const std::string countText = fmt::format("0 to {}", kMaxSteps);
  require(steps >= 1 && steps <= kMaxSteps, "steps", steps,
          fmt::format("1 to {}", kMaxSteps));
  require(learningRate > 0 && learningRate <= 1e6, "lr", learningRate,
          "a number above 0, at most 1e6");
  require(minLearningRate >= 0 && minLearningRate <= learningRate, "min-lr",
          minLearningRate, fmt::format("0 to --lr, {}", learningRate));
  require(warmup >= 0 && warmup <= steps, "warmup", warmup,
          fmt::format("0 to --steps, {}", steps));
  require(schedule == "cosine" || schedule == "constant", "schedule", schedule,
          "cosine or constant");
  require(validationPart > 0 && validationPart <= 0.9, "validation",
          validationPart, "a number above 0, at most 0.9");
  require(isCount(evalEvery), "eval-every", evalEvery, countText);
  require(isCount(evalBatches), "eval-batches", evalBatches, countText);
  require(isCount(checkpointEvery), "checkpoint-every", checkpointEvery,
          countText);
  return error.empty();
}

/// Calls visit(name of the option, value) for each setting.
template <typename Settings, typename Visit>
static void visitSettings(Settings &s, Visit visit) {
  visit("steps", s.steps);
  visit("lr", s.learningRate);
  visit("min-lr", s.minLearningRate);
  visit("warmup", s.warmup);
  visit("schedule", s.schedule);
  visit("seed", s.seed);
  visit("validation", s.validationPart);
  visit("eval-every", s.evalEvery);
  visit("eval-batches", s.evalBatches);
  visit("checkpoint-every", s.checkpointEvery);
}

static std::string keyOf(const char *name) {
  return std::string("tt.train.") + name;
}

static bool parse(const std::string &text, int64_t &value) {
  const char *end = text.data() + text.size();
  auto result = std::from_chars(text.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}
static bool parse(const std::string &text, double &value) {
  char *end;
  value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == 0;
}
static bool parse(const std::string &text, std::string &value) {
  value = text;
  return true;
}

void RunSettings::save(Metadata &metadata) const {
  visitSettings(*this, [&](const char *name, const auto &value) {
    metadata.emplace_back(keyOf(name), fmt::format("{}", value));
  });
}

bool RunSettings::resume(const std::map<std::string, std::string> &metadata,
                         const std::set<std::string> &given,
                         const std::string &path, std::string &error) {
  visitSettings(*this, [&](std::string_view name, auto &value) {
    auto stored = metadata.find(keyOf(name.data()));
    auto old = value;
    if (!error.empty())
      return;
    if (stored == metadata.end() || !parse(stored->second, old)) {
      error = fmt::format(
          "{}: metadata \"{}\": found {}, wanted a value "
          "written by tt-train",
          path, keyOf(name.data()),
          stored == metadata.end() ? "none" : "\"" + stored->second + "\"");
      return;
    }
    bool isGiven = given.count(std::string(name));
    if (isGiven && (name == "steps" || name == "checkpoint-every"))
      return;
    if (isGiven && old != value)
      error = fmt::format("--{}: found {}, wanted {} as in {} (leave the "
                          "option away)",
                          name, value, old, path);
    value = old;
  });
  return error.empty();
}
