// config.json of the GPT-2 family.
#include "ConfigReader.h"

#include "tt/Support/CheckedSize.h"

using namespace tt::frontend;
using tt::support::CheckedSize;
using tt::support::JsonValue;

/// transformers reads these names as aliases; in a GPT-2 file they are more
/// likely another family's.
static void refuseAliases(ConfigReader &reader) {
  static constexpr const char *aliases[][2] = {
      {"hidden_size", "n_embd"},
      {"max_position_embeddings", "n_positions"},
      {"num_attention_heads", "n_head"},
      {"num_hidden_layers", "n_layer"}};
  for (auto [alias, name] : aliases)
    if (const JsonValue *value = reader.take(alias))
      reader.report(alias, ConfigReader::show(*value),
                    std::string("the key \"") + name +
                        "\" for model_type "
                        "\"gpt2\"");
}

static Activation readActivation(ConfigReader &reader) {
  std::string name = reader.choiceOr(
      "activation_function",
      {"gelu_new", "gelu", "gelu_pytorch_tanh", "relu", "silu", "swish"},
      "gelu_new");
  if (name == "gelu")
    return Activation::GeluErf;
  if (name == "relu")
    return Activation::Relu;
  if (name == "silu" || name == "swish")
    return Activation::Silu;
  return Activation::GeluTanh;
}

Gpt2Config tt::frontend::readGpt2Config(ConfigReader &reader) {
  Gpt2Config config;
  refuseAliases(reader);
  config.vocab = reader.size("vocab_size", kMaxVocab);
  config.positions = reader.size("n_positions", kMaxPositions);
  config.width = reader.size("n_embd", kMaxWidth);
  config.layers = reader.size("n_layer", kMaxLayers);
  config.heads = reader.size("n_head", kMaxHeads);
  int64_t fourfold = (CheckedSize(4) * config.width).value();
  config.inner = reader.sizeOr("n_inner", fourfold, kMaxInner);
  config.activation = readActivation(reader);
  config.epsilon = reader.numberOr("layer_norm_epsilon", kMinEpsilon, 1, 1e-5);
  config.initializerRange = reader.numberOr("initializer_range", 0, 1, 0.02);
  // The defaults of these three are transformers'.
  config.embeddingDropout = reader.probabilityOr("embd_pdrop", 0.1);
  config.attentionDropout = reader.probabilityOr("attn_pdrop", 0.1);
  config.residualDropout = reader.probabilityOr("resid_pdrop", 0.1);
  config.scaleAttention = reader.boolOr("scale_attn_weights", true);
  config.bias = reader.boolOr("bias", true); // nanoGPT's, not transformers'
  config.tied = reader.boolOr("tie_word_embeddings", true);

  int64_t context =
      reader.sizeOr("n_ctx", config.positions, kMaxPositions); // old name
  if (!reader.ok())
    return config;
  if (context != config.positions)
    reader.report("n_ctx", std::to_string(context),
                  "n_positions, " + std::to_string(config.positions));
  if (config.width % config.heads != 0)
    reader.report("n_embd", std::to_string(config.width),
                  "a multiple of n_head, " + std::to_string(config.heads));
  return config;
}
