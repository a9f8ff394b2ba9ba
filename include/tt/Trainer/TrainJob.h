// What tt-train does, apart from reading its command line.
#ifndef TT_TRAINER_TRAINJOB_H
#define TT_TRAINER_TRAINJOB_H

#include "tt/Trainer/Console.h"
#include "tt/Trainer/RunSettings.h"
#include "tt/Trainer/Sampler.h"
#include "tt/runtime/ModelTypes.h"

#include <functional>

namespace tt::trainer {

/// Whether a library that takes this would do; false with an error.
using AcceptTypes =
    std::function<bool(const runtime::ModelTypes &types, std::string &error)>;

struct TrainJob {
  /// Gives the path of the model library; asked once, after the cheap checks,
  /// so it may compile one; then it asks `accept` (may be empty) before the
  /// long part. `recorded` is the path in the run's checkpoint, or empty.
  std::function<bool(const std::string &recorded, const AcceptTypes &accept,
                     std::string &path, std::string &error)>
      findLibrary;
  std::string text;       // path; empty on resume: the checkpoint's
  std::string directory;  // of the run
  std::string checkpoint; // path; empty: checkpoint.safetensors of the run
  std::string initial;    // path of first parameters; empty: drawn by the seed
  bool resume = false;
  bool overwrite = false;       // a run that is there
  bool allowOtherModel = false; // than the checkpoint's
  uint32_t threads = 0;         // 0: all CPUs
  double maxSeconds = 0;        // 0: no limit
  Vocabulary::Choice vocabulary = Vocabulary::Choice::Auto;
  RunSettings settings;
  std::set<std::string> given; // names of the options on the command line
  SampleOptions sample;
};

/// Trains and reports. `wasInterrupted`: by a signal; all is saved, or nothing
/// was trained.
bool runTraining(const TrainJob &job, Console &console, bool &wasInterrupted,
                 std::string &error);

/// Prints samples from a checkpoint.
bool runSampling(const TrainJob &job, Console &console, std::string &error);

} // namespace tt::trainer
#endif
