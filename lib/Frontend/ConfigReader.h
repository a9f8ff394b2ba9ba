// Reading a config.json key by key.
#ifndef TT_LIB_FRONTEND_CONFIGREADER_H
#define TT_LIB_FRONTEND_CONFIGREADER_H

#include "tt/Frontend/ModelConfig.h"

#include <set>

namespace tt::frontend {

/// Getters over a JsonDocument that remember which keys were asked for. After
/// the first error they return something harmless; ask ok() before computing
/// with the values.
class ConfigReader {
public:
  ConfigReader(const support::JsonDocument &json, std::string &error,
               std::vector<std::string> &warnings)
      : json(json), error(error), warnings(warnings) {}

  bool ok() const { return error.empty(); }

  /// An integer in [1, high]; required.
  int64_t size(const char *key, int64_t high);
  /// The same, `otherwise` if absent or null.
  int64_t sizeOr(const char *key, int64_t otherwise, int64_t high);
  double numberOr(const char *key, double low, double high, double otherwise);
  bool boolOr(const char *key, bool otherwise);
  /// In [0, 1).
  double probabilityOr(const char *key, double otherwise);
  std::string choiceOr(const char *key, const std::vector<std::string> &choices,
                       const std::string &otherwise);

  /// The value of a key that the caller judges; null if absent.
  const support::JsonValue *take(const char *key);
  void report(const char *key, const std::string &found,
              const std::string &wanted) {
    json.report(key, found, wanted, error);
  }

  /// Refuses keys that stand for what tt does not build, unless their value is
  /// neutral, then keys that nobody knows, or warns of them.
  void finish(UnknownKeys unknown);

  /// A value as messages show it: strings quoted and cut.
  static std::string show(const support::JsonValue &value);

private:
  void refuseOtherArchitectures();
  void refuseUnknown(const support::JsonMember &member);

  const support::JsonDocument &json;
  std::string &error;
  std::vector<std::string> &warnings;
  std::set<std::string, std::less<>> taken;
};

/// Limits of sizes: generous, and far from overflow in each product of two.
inline constexpr int64_t kMaxVocab = int64_t(1) << 30;
inline constexpr int64_t kMaxPositions = int64_t(1) << 24;
inline constexpr int64_t kMaxWidth = int64_t(1) << 20;
inline constexpr int64_t kMaxInner = int64_t(1) << 24;
inline constexpr int64_t kMaxHeads = int64_t(1) << 16;
inline constexpr int64_t kMaxLayers = 4096;
inline constexpr double kMinEpsilon = 1e-12;

/// Keys that say nothing about the graph: bookkeeping, generation, heads that are
/// not the language model's.
const std::vector<std::string_view> &harmlessKeys();

/// What a key's value is when the key changes nothing.
enum class Neutral { False, Null, One, Empty, FullAttention };
struct ArchitectureKey {
  const char *key;
  Neutral neutral;
};
/// Keys of models like ours that change what is computed, and that no reader takes.
const std::vector<ArchitectureKey> &architectureKeys();

Gpt2Config readGpt2Config(ConfigReader &reader);
/// Mistral is Llama with a sliding window and defaults of its own.
LlamaConfig readLlamaConfig(ConfigReader &reader, bool isMistral);
/// rope_theta, rope_scaling and rope_parameters.
void readRope(ConfigReader &reader, LlamaConfig &config);

} // namespace tt::frontend
#endif
