// What a model looks like: read from a config.json of the Hugging Face kind.
#ifndef TT_FRONTEND_MODELCONFIG_H
#define TT_FRONTEND_MODELCONFIG_H

#include "tt/Support/JsonDocument.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tt::frontend {

enum class Activation { GeluErf, GeluTanh, Relu, Silu };

/// GPT-2 and its kin: learned positions, layer_norm before each half, one
/// joint q, k, v projection, weights stored [in, out].
struct Gpt2Config {
  int64_t vocab = 0;
  int64_t positions = 0;
  int64_t width = 0;
  int64_t layers = 0;
  int64_t heads = 0;
  int64_t inner = 0; // width of the MLP
  Activation activation = Activation::GeluTanh;
  double epsilon = 1e-5;
  double initializerRange = 0.02;
  double embeddingDropout = 0, attentionDropout = 0, residualDropout = 0;
  bool scaleAttention = true; // by 1 / sqrt(head size)
  bool bias = true;           // of linears and norms
  bool tied = true;           // the head is the embedding
};

/// How the frequencies of the rotary embedding are stretched.
struct RopeScalingConfig {
  enum Kind { None, Linear, Llama3 } kind = None;
  double factor = 1;
  double lowFrequency = 0, highFrequency = 0; // llama3
  int64_t context = 0;                        // llama3: before the stretch
};

/// Llama and its kin, Mistral too: rotary positions (half split), rms_norm, grouped
/// queries, SwiGLU, weights stored [out, in].
struct LlamaConfig {
  int64_t vocab = 0;
  int64_t positions = 0;
  int64_t width = 0;
  int64_t layers = 0;
  int64_t heads = 0;
  int64_t kvHeads = 0;
  int64_t headSize = 0;
  int64_t inner = 0;
  double epsilon = 1e-6;
  double theta = 10000;
  RopeScalingConfig ropeScaling;
  double initializerRange = 0.02;
  double attentionDropout = 0;
  int64_t slidingWindow = 0;  // keys that a query sees, itself too; 0: all
  bool attentionBias = false; // of q, k, v, o
  bool mlpBias = false;       // of gate, up, down
  bool tied = false;
};

using ModelConfig = std::variant<Gpt2Config, LlamaConfig>;

/// "gpt2" or "llama".
std::string_view familyName(const ModelConfig &config);
/// The largest dropout probability of a configuration.
double largestDropout(const ModelConfig &config);
/// Sets all of the family's dropout probabilities.
void setDropout(ModelConfig &config, double p);

/// What becomes of a key of config.json that tt does not know. It may change the
/// architecture.
enum class UnknownKeys { Refuse, Ignore };

/// Reads `model_type` "gpt2", "llama" or "mistral". The first thing that is wrong goes to
/// `error`: "config.json:7: key "n_head": found 5, wanted ...". A key that would change
/// the architecture in a way that tt does not build is an error, and so is an unknown
/// one, unless it is null, which stands for "not used"; `unknown` makes a warning of it.
/// A key that is known to change nothing is ignored.
std::optional<ModelConfig>
readModelConfig(const support::JsonDocument &json, std::string &error,
                std::vector<std::string> &warnings,
                UnknownKeys unknown = UnknownKeys::Refuse);

/// A configuration with the batch and sequence it is measured with.
struct Workload {
  std::string_view name;
  ModelConfig model;
  int64_t batch;
  int64_t seq;
};
/// The project's benchmark models: W1a, W1b, W2, W3. Nothing for other names.
std::optional<Workload> findWorkload(std::string_view name);

} // namespace tt::frontend
#endif
