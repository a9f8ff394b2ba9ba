// A model library seen by the trainer: entries by name, checked once.
#ifndef TT_TRAINER_TRAINMODEL_H
#define TT_TRAINER_TRAINMODEL_H

#include "tt/Trainer/BatchSampler.h"
#include "tt/runtime/Model.h"

namespace tt::trainer {

struct StepResult {
  float loss = 0;
  float gradNorm = 0;
  float clip = 0;
  int32_t skipped = 0;
};

class TrainModel {
public:
  /// threads 0: as many as this process may use and the library can.
  /// Errors start with the path.
  static std::unique_ptr<TrainModel> open(const std::string &path,
                                          uint32_t threads, bool forTraining,
                                          std::string &error);

  BatchShape trainShape() const { return trainPort.shape; }
  BatchShape evalShape() const { return evalPort.shape; }
  BatchShape logitsShape() const { return logitsPort.shape; }
  /// Ids are in [0, vocabulary()).
  int64_t vocabulary() const { return numIds; }
  bool hasLogits() const { return logitsPort.exists; }
  /// Of the compiled module, for checkpoints.
  const std::string &hash() const { return modelHash; }
  const std::string &path() const { return libraryPath; }

  bool step(const Batch &batch, float learningRate, int64_t step, int64_t seed,
            StepResult &result, std::string &error);
  bool eval(const Batch &batch, float &loss, std::string &error);
  /// tokens: [B, T] of logitsShape(); logits: [B, V] of the position.
  bool logits(const std::vector<int32_t> &tokens, int32_t position,
              std::vector<float> &logits, std::string &error);

  runtime::Model &model() { return *bound; }

private:
  /// An entry with the places of the inputs and outputs we know.
  struct Port {
    bool exists = false;
    uint32_t entry = 0;
    BatchShape shape;
    std::vector<const void *> inputs;
    std::vector<void *> outputs;
    std::vector<tt_tensor_info> inputInfos, outputInfos;

    void setInput(const char *name, const void *from);
    void setOutput(const char *name, void *to);
  };
  struct Wanted {
    const char *name;
    tt_dtype dtype;
    std::vector<int64_t> shape; // -1: any
  };

  bool findEntries(bool forTraining, std::string &error);
  bool findEntry(const char *name, const std::vector<Wanted> &inputs,
                 const std::vector<Wanted> &outputs, Port &port,
                 std::string &error);
  bool checkTensors(const std::string &entry, const char *kind,
                    const std::vector<tt_tensor_info> &found,
                    const std::vector<Wanted> &wanted, bool onlyThese,
                    std::string &error) const;
  bool call(Port &port, std::string &error);

  std::string libraryPath;
  std::string modelHash;
  std::shared_ptr<const runtime::Library> library;
  std::unique_ptr<runtime::Model> bound;
  int64_t numIds = 0;
  Port trainPort, evalPort, logitsPort;
};

} // namespace tt::trainer
#endif
