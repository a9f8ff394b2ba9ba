#include "tt/Trainer/Sampler.h"

#include "tt/runtime/Philox.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace tt::trainer;

int32_t tt::trainer::drawToken(const float *logits, int64_t count,
                               double temperature, int64_t topK,
                               double uniform) {
  std::vector<int32_t> order;
  for (int64_t i = 0; i < count; ++i)
    if (std::isfinite(logits[i]))
      order.push_back(static_cast<int32_t>(i));
  if (order.empty())
    return -1;
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  });
  if (topK > 0 && topK < static_cast<int64_t>(order.size()))
    order.resize(topK);
  if (temperature <= 0)
    return order[0];
  std::vector<double> weights;
  double sum = 0;
  for (int32_t id : order) {
    double above = double(logits[id]) - double(logits[order[0]]); // <= 0
    weights.push_back(std::exp(above / temperature));
    sum += weights.back();
  }
  double left = uniform * sum;
  for (size_t i = 0; i < order.size(); ++i) {
    left -= weights[i];
    if (left < 0)
      return order[i];
  }
  return order[0]; // rounding ate the last one's share
}

static double uniformAt(uint64_t seed, int64_t sample, int64_t index) {
  constexpr uint32_t kStream = 0x73616d70; // "samp"
  auto place = static_cast<uint64_t>(index);
  tt::runtime::PhiloxBlock bits = tt::runtime::philox4x32(
      {{static_cast<uint32_t>(sample), static_cast<uint32_t>(place),
        static_cast<uint32_t>(place >> 32), kStream}},
      static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32));
  uint64_t number = uint64_t(bits.word[1]) << 32 | bits.word[0];
  return static_cast<double>(number >> 11) * 0x1p-53;
}

bool tt::trainer::drawSamples(TrainModel &model, const Vocabulary &vocabulary,
                              const SampleOptions &options,
                              std::vector<std::string> &texts,
                              std::string &error) {
  BatchShape shape = model.logitsShape();
  std::vector<int32_t> prompt;
  if (!vocabulary.encode(options.prompt, "--prompt", prompt, error))
    return false;
  if (prompt.empty())
    prompt.push_back(vocabulary.startToken());
  if (options.numSamples > shape.batch) {
    error = fmt::format("--num-samples: found {}, wanted at most {}, the "
                        "model's batch",
                        options.numSamples, shape.batch);
    return false;
  }
  texts.assign(options.numSamples, "");
  std::vector<std::vector<int32_t>> sequences(options.numSamples, prompt);
  std::vector<int32_t> tokens(shape.batch * shape.context);
  std::vector<float> logits;
  for (int64_t i = 0; i < options.numTokens; ++i) {
    auto length = static_cast<int64_t>(sequences[0].size());
    int64_t used = std::min(length, shape.context); // the last ones
    for (int64_t s = 0; s < options.numSamples; ++s)
      std::copy(sequences[s].end() - used, sequences[s].end(),
                tokens.begin() + s * shape.context);
    if (!model.logits(tokens, static_cast<int32_t>(used - 1), logits, error))
      return false;
    auto width = static_cast<int64_t>(logits.size()) / shape.batch;
    int64_t count = std::min<int64_t>(vocabulary.size(), width);
    for (int64_t s = 0; s < options.numSamples; ++s) {
      int32_t id =
          drawToken(logits.data() + s * width, count, options.temperature,
                    options.topK, uniformAt(options.seed, s, i));
      if (id < 0) {
        error = fmt::format("{}: found no finite logit after {} tokens, wanted "
                            "some to draw from",
                            model.path(), length);
        return false;
      }
      sequences[s].push_back(id);
      vocabulary.decode(id, texts[s]);
    }
  }
  return true;
}
