// Steps, evaluations, logs and checkpoints in their order.
#ifndef TT_TRAINER_TRAINLOOP_H
#define TT_TRAINER_TRAINLOOP_H

#include "tt/Trainer/Checkpoint.h"
#include "tt/Trainer/LossPlot.h"
#include "tt/Trainer/Progress.h"
#include "tt/Trainer/RunLog.h"

namespace tt::trainer {

/// Mean loss over the targets of the batches, each target counted once. When
/// `canStop`, a stop signal ends it early; the result is then none and `error`
/// is empty.
std::optional<double> evaluate(TrainModel &model, const EvalBatches &batches,
                               bool canStop, std::string &error);

/// Replaces a file by all or nothing.
bool writeFile(const std::string &path, std::string_view text,
               std::string &error);

enum class StopReason {
  Finished,
  TimeLimit,
  Signal,
  Output // standard output cannot be written
};

/// What a loop works on; the references outlive it.
struct TrainContext {
  TrainModel &model;
  const TextData &data;
  const RunSettings &settings;
  RunLog &log;
  Console &console;
  std::string checkpointPath;
  std::string plotPath;
  LossPlot plot;
  double maxSeconds = 0; // 0: no limit
};

class TrainLoop {
public:
  TrainLoop(const TrainContext &context, Checkpoint &checkpoint);

  /// Goes from checkpoint.step to settings.steps, or to the first reason to
  /// stop before. The state at the end is saved in any case but an error.
  bool run(StopReason &reason, std::string &error);

private:
  bool takeStep(std::string &error);
  bool evaluateAt(int64_t step, LogRow &row, std::string &error);
  bool save(std::string &error);
  std::optional<StopReason> reasonToStop(double seconds) const;

  TrainContext context;
  Checkpoint &checkpoint;
  BatchSampler sampler;
  EvalBatches evalBatches;
  Schedule schedule;
  Progress progress;
  Batch batch;
};

} // namespace tt::trainer
#endif
