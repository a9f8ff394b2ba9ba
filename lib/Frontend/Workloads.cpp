// The project's benchmark models.
#include "tt/Frontend/ModelConfig.h"

using namespace tt::frontend;

/// Copied from design/workloads.json; what is not said there is GPT-2's.
static Workload gpt(std::string_view name, int64_t vocab, int64_t width,
                    int64_t layers, int64_t heads, int64_t inner,
                    int64_t positions, bool bias, int64_t batch, int64_t seq) {
  Gpt2Config config;
  config.vocab = vocab;
  config.positions = positions;
  config.width = width;
  config.layers = layers;
  config.heads = heads;
  config.inner = inner;
  config.bias = bias;
  return {name, config, batch, seq};
}

static Workload smallLlama() {
  LlamaConfig config;
  config.vocab = 32000;
  config.positions = 512;
  config.width = 512;
  config.layers = 8;
  config.heads = 8;
  config.kvHeads = 4;
  config.headSize = 64;
  config.inner = 1376;
  config.epsilon = 1e-5;
  return {"W3", config, /*batch=*/2, /*seq=*/512};
}

std::optional<Workload> tt::frontend::findWorkload(std::string_view name) {
  const Workload workloads[] = {
      gpt("W1a", 50257, 768, 12, 12, 3072, 1024, true, 2, 256),
      gpt("W1b", 50257, 768, 12, 12, 3072, 1024, true, 1, 1024),
      gpt("W2", 65, 384, 6, 6, 1536, 256, false, 12, 256),
      smallLlama(),
  };
  for (const Workload &workload : workloads)
    if (workload.name == name)
      return workload;
  return std::nullopt;
}
