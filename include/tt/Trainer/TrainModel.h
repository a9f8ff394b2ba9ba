// A model library seen by the trainer: entries by name, checked once.
#ifndef TT_TRAINER_TRAINMODEL_H
#define TT_TRAINER_TRAINMODEL_H

#include "tt/Trainer/StepMetrics.h"
#include "tt/runtime/Model.h"

namespace tt::trainer {

struct StepResult {
  float loss = 0;
  float gradNorm = 0;
  float clip = 0;
  int32_t skipped = 0;
  std::vector<std::string> metrics; // as texts, by TrainModel::metrics()
};

class TrainModel {
public:
  /// threads 0: as many as this process may use and the library can.
  /// Errors start with the path.
  static std::unique_ptr<TrainModel> open(const std::string &path,
                                          uint32_t threads, bool forTraining,
                                          std::string &error);

  BatchShape trainShape() const { return entries.train.shape; }
  BatchShape evalShape() const { return entries.eval.shape; }
  BatchShape logitsShape() const { return entries.logits.shape; }
  /// Ids are in [0, vocabulary()).
  int64_t vocabulary() const { return entries.numIds; }
  /// The graph's own numbers of a step, by name.
  const std::vector<std::string> &metrics() const { return stepMetrics.names(); }
  bool hasLogits() const { return entries.logits.exists; }
  /// Of the compiled module, for checkpoints.
  const std::string &hash() const { return modelHash; }
  const std::string &path() const { return libraryPath; }

  /// `update` is AdamW's t, from 1: after a step that was skipped the same again.
  bool step(const Batch &batch, float learningRate, int64_t update, int64_t seed,
            StepResult &result, std::string &error);
  bool eval(const Batch &batch, float &loss, std::string &error);
  /// tokens: [B, T] of logitsShape(); logits: [B, V] of the position.
  bool logits(const std::vector<int32_t> &tokens, int32_t position,
              std::vector<float> &logits, std::string &error);

  /// Valid as long as this.
  runtime::ModelTypes types() const;

  runtime::Model &model() { return *bound; }

private:
  bool call(TrainPort &port, std::string &error);

  std::string libraryPath;
  std::string modelHash;
  std::shared_ptr<const runtime::Library> library;
  std::unique_ptr<runtime::Model> bound;
  TrainEntries entries;
  StepMetrics stepMetrics;
};

} // namespace tt::trainer
#endif
