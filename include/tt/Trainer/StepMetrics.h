// What a training step returns besides the loss and the trainer's own numbers.
#ifndef TT_TRAINER_STEPMETRICS_H
#define TT_TRAINER_STEPMETRICS_H

#include "tt/Trainer/TrainEntries.h"

#include <array>

namespace tt::trainer {

/// The scalars among the outputs of train_step that the graph has by itself, such as an
/// accuracy: f64, f32, and integers. Other shapes are not for a log.
class StepMetrics {
public:
  /// Those of `port` but the trainer's own; they are written to memory of this.
  void bind(TrainPort &port);
  const std::vector<std::string> &names() const { return metricNames; }
  /// What the last call wrote, in the order of names(): the shortest text that reads
  /// back the same.
  std::vector<std::string> texts() const;

private:
  std::vector<std::string> metricNames;
  std::vector<uint32_t> dtypes;
  std::vector<std::array<char, 8>> values; // as bound: never resized after
};

} // namespace tt::trainer
#endif
