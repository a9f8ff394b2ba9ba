// Text from a model, one token after the other.
#ifndef TT_TRAINER_SAMPLER_H
#define TT_TRAINER_SAMPLER_H

#include "tt/Trainer/TrainModel.h"
#include "tt/Trainer/Vocabulary.h"

namespace tt::trainer {

struct SampleOptions {
  std::string prompt;       // empty: a newline
  double temperature = 0.8; // 0: the likeliest token
  int64_t topK = 0;         // 0: all
  int64_t numTokens = 200;
  int64_t numSamples = 1;
  uint64_t seed = 1;
};

/// A token of softmax(logits / temperature) over the topK largest, drawn by
/// `uniform` in [0, 1). Ties keep the smaller id. Logits that are not finite
/// are never drawn; if none is finite: -1.
int32_t drawToken(const float *logits, int64_t count, double temperature,
                  int64_t topK, double uniform);

/// The samples' texts, without the prompt. Sample i does not depend on how
/// many are drawn.
bool drawSamples(TrainModel &model, const Vocabulary &vocabulary,
                 const SampleOptions &options, std::vector<std::string> &texts,
                 std::string &error);

} // namespace tt::trainer
#endif
