// The trainer's checkpoints: tt_save's file with our metadata.
#ifndef TT_TRAINER_CHECKPOINT_H
#define TT_TRAINER_CHECKPOINT_H

#include "tt/Trainer/RunSettings.h"
#include "tt/Trainer/TrainModel.h"
#include "tt/Trainer/Vocabulary.h"

namespace tt::trainer {

/// A run apart from its tensors.
struct Checkpoint {
  int64_t step = 0;       // batches that were tried
  int64_t numSkipped = 0; // of them: the gradient norm was not finite
  std::string textPath;
  uint64_t textHash = 0;
  /// Absolute; empty for the run's own model.so, which moves with the run.
  std::string libraryPath;
  Vocabulary vocabulary = Vocabulary::bytes();
  std::string modelHash; // read only: tt_save writes the model's own
  std::map<std::string, std::string> metadata; // read only: for RunSettings

  /// AdamW's t, and where the learning rate's schedule is.
  int64_t numUpdates() const { return step - numSkipped; }

  bool save(TrainModel &model, const RunSettings &settings,
            const std::string &path, std::string &error) const;
  /// Reads the metadata only; TrainModel::model().load() reads and checks the
  /// rest.
  bool read(const std::string &path, std::string &error);
  /// Whether a model of these types, with ids below `numIds`, may load it.
  bool checkModel(const runtime::ModelTypes &types, int64_t numIds,
                  const std::string &path, bool allowOther,
                  std::string &error) const;
};

} // namespace tt::trainer
#endif
