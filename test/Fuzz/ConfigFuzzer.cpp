// config.json: any bytes give a configuration that holds together or a message.
#include "tt/Frontend/ModelConfig.h"

#include <cstdlib>

using namespace tt::frontend;

static void check(bool condition) {
  if (!condition)
    std::abort();
}

template <typename Config> static void checkCommon(const Config &config) {
  check(config.vocab >= 1 && config.positions >= 1 && config.width >= 1);
  check(config.layers >= 1 && config.layers <= 4096 && config.heads >= 1);
  check(config.inner >= 1 && config.width % config.heads == 0);
  check(config.epsilon > 0 && config.initializerRange >= 0);
  check(config.attentionDropout >= 0 && config.attentionDropout < 1);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string error;
  std::vector<std::string> warnings;
  std::string_view text(reinterpret_cast<const char *>(data), size);
  auto json = tt::support::JsonDocument::parse(text, "config.json", error);
  check(json.has_value() == error.empty());
  if (!json)
    return 0;
  auto strict = readModelConfig(*json, error, warnings);
  check(strict.has_value() == error.empty() && warnings.empty());
  error.clear();
  auto config = readModelConfig(*json, error, warnings, UnknownKeys::Ignore);
  check(config.has_value() == error.empty() && (config || !strict));
  if (!config)
    return 0;
  if (auto *gpt2 = std::get_if<Gpt2Config>(&*config)) {
    checkCommon(*gpt2);
    check(gpt2->embeddingDropout < 1 && gpt2->residualDropout < 1);
    return 0;
  }
  auto &llama = std::get<LlamaConfig>(*config);
  checkCommon(llama);
  check(llama.headSize >= 2 && llama.headSize % 2 == 0);
  check(llama.kvHeads >= 1 && llama.heads % llama.kvHeads == 0);
  check(llama.theta >= 1 && llama.theta <= 1e12);
  return 0;
}
