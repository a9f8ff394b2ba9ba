// config.json of the Llama family.
#include "ConfigReader.h"

using namespace tt;
using namespace tt::frontend;

/// Divisions that must come out even. All values are at least 1.
static void checkHeads(ConfigReader &reader, LlamaConfig &config) {
  if (config.width % config.heads != 0)
    return reader.report("hidden_size", std::to_string(config.width),
                         "a multiple of num_attention_heads, " +
                             std::to_string(config.heads));
  if (config.heads % config.kvHeads != 0)
    return reader.report("num_key_value_heads", std::to_string(config.kvHeads),
                         "a divisor of num_attention_heads, " +
                             std::to_string(config.heads));
  config.headSize =
      reader.sizeOr("head_dim", config.width / config.heads, kMaxHeads);
  if (reader.ok() && config.headSize % 2 != 0)
    reader.report("head_dim", std::to_string(config.headSize),
                  "an even number, for the rotary embedding");
}

/// Mistral's window; what is absent there has transformers' default. Null is no
/// window. In a Llama file the key is refused with the other architectures'.
static int64_t readSlidingWindow(ConfigReader &reader) {
  constexpr const char *key = "sliding_window";
  const support::JsonValue *value = reader.take(key);
  if (value && value->isNull())
    return 0;
  return reader.sizeOr(key, 4096, kMaxPositions);
}

LlamaConfig tt::frontend::readLlamaConfig(ConfigReader &reader, bool isMistral) {
  LlamaConfig config;
  config.vocab = reader.size("vocab_size", kMaxVocab);
  config.positions = reader.size("max_position_embeddings", kMaxPositions);
  config.width = reader.size("hidden_size", kMaxWidth);
  config.inner = reader.size("intermediate_size", kMaxInner);
  config.layers = reader.size("num_hidden_layers", kMaxLayers);
  config.heads = reader.size("num_attention_heads", kMaxHeads);
  const support::JsonValue *kvHeads = reader.take("num_key_value_heads");
  config.kvHeads = reader.sizeOr(
      "num_key_value_heads", isMistral && !kvHeads ? 8 : config.heads, kMaxHeads);
  reader.choiceOr("hidden_act", {"silu", "swish"}, "silu");
  config.epsilon = reader.numberOr("rms_norm_eps", kMinEpsilon, 1, 1e-6);
  config.initializerRange = reader.numberOr("initializer_range", 0, 1, 0.02);
  if (isMistral)
    config.slidingWindow = readSlidingWindow(reader);
  config.attentionDropout = reader.probabilityOr("attention_dropout", 0);
  config.attentionBias = reader.boolOr("attention_bias", false);
  config.mlpBias = reader.boolOr("mlp_bias", false);
  config.tied = reader.boolOr("tie_word_embeddings", false);

  readRope(reader, config);
  if (reader.ok())
    checkHeads(reader, config);
  return config;
}
