// What decides the numbers of a run; kept in its checkpoints.
#ifndef TT_TRAINER_RUNSETTINGS_H
#define TT_TRAINER_RUNSETTINGS_H

#include "tt/Trainer/Schedule.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tt::trainer {

struct RunSettings {
  int64_t steps = 1000;
  double learningRate = 1e-3;
  double minLearningRate = -1;     // negative: a tenth of learningRate
  int64_t warmup = -1;             // negative: a tenth of steps, at most 100
  std::string schedule = "cosine"; // or "constant"
  int64_t seed = 1;
  double validationPart = 0.1;
  int64_t evalEvery = 100;       // 0: never
  int64_t evalBatches = 20;      // 0: all
  int64_t checkpointEvery = 100; // 0: only at the end

  /// Puts values in place of the negative ones.
  void resolve();
  /// Ranges; after resolve(). `place` stands in front: "" for the command
  /// line, "PATH: " for a checkpoint.
  bool check(const std::string &place, std::string &error) const;
  Schedule makeSchedule() const;

  using Metadata = std::vector<std::pair<std::string, std::string>>;
  /// Adds a pair per setting: "tt.train.lr" and so on.
  void save(Metadata &metadata) const;
  /// Takes the checkpoint's settings, except `given` ones (option names
  /// without dashes) that may change: steps and checkpoint-every. Another
  /// value for another given one is an error.
  bool resume(const std::map<std::string, std::string> &metadata,
              const std::set<std::string> &given, const std::string &path,
              std::string &error);
};

} // namespace tt::trainer
#endif
