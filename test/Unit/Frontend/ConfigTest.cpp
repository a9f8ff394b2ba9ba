// Reading config.json: what is accepted, and each message.
#include "tt/Frontend/ModelConfig.h"

#include <gtest/gtest.h>

#include <filesystem>

using namespace tt::frontend;
using tt::support::JsonDocument;

namespace {
struct Member {
  const char *key;
  const char *value; // JSON text; null removes the key
};

struct Read {
  std::string text;
  std::optional<ModelConfig> config;
  std::string error;
  std::vector<std::string> warnings;
};
} // namespace

static const std::vector<Member> kGpt2 = {
    {"model_type", "\"gpt2\""}, {"vocab_size", "61"}, {"n_positions", "12"},
    {"n_embd", "16"},           {"n_layer", "2"},     {"n_head", "2"}};
static const std::vector<Member> kLlama = {
    {"model_type", "\"llama\""},       {"vocab_size", "61"},
    {"max_position_embeddings", "12"}, {"hidden_size", "24"},
    {"intermediate_size", "40"},       {"num_hidden_layers", "2"},
    {"num_attention_heads", "4"},      {"num_key_value_heads", "2"}};

static Read readText(const std::string &text, UnknownKeys unknown = UnknownKeys::Refuse) {
  Read read;
  read.text = text;
  auto json = JsonDocument::parse(text, "config.json", read.error);
  if (json)
    read.config = readModelConfig(*json, read.error, read.warnings, unknown);
  return read;
}

/// The base with some members replaced, added or removed.
static Read readWith(std::vector<Member> base, const std::vector<Member> &changes,
                     UnknownKeys unknown = UnknownKeys::Refuse) {
  for (const Member &change : changes) {
    auto same = [&](const Member &m) {
      return std::string_view(m.key) == change.key;
    };
    base.erase(std::remove_if(base.begin(), base.end(), same), base.end());
    if (change.value)
      base.push_back(change);
  }
  std::string text;
  for (const Member &member : base)
    text += std::string(text.empty() ? "{" : ", ") + '"' + member.key +
            "\": " + member.value;
  return readText(text + "}", unknown);
}

static const Gpt2Config &gpt2(const Read &read) {
  EXPECT_EQ(read.error, "");
  return std::get<Gpt2Config>(*read.config);
}
static const LlamaConfig &llama(const Read &read) {
  EXPECT_EQ(read.error, "");
  return std::get<LlamaConfig>(*read.config);
}

//===----------------------------------------------------------------------===//
// Accepted
//===----------------------------------------------------------------------===//

TEST(Config, Gpt2Defaults) {
  Read read = readWith(kGpt2, {});
  const Gpt2Config &config = gpt2(read);
  EXPECT_EQ(config.vocab, 61);
  EXPECT_EQ(config.positions, 12);
  EXPECT_EQ(config.inner, 64);
  EXPECT_EQ(config.activation, Activation::GeluTanh);
  EXPECT_EQ(config.epsilon, 1e-5);
  EXPECT_EQ(config.initializerRange, 0.02);
  EXPECT_EQ(config.attentionDropout, 0.1);
  EXPECT_TRUE(config.bias && config.tied && config.scaleAttention);
  EXPECT_TRUE(read.warnings.empty());
}

TEST(Config, Gpt2Variants) {
  Read read = readWith(kGpt2, {{"n_inner", "40"},
                               {"activation_function", "\"gelu\""},
                               {"bias", "false"},
                               {"tie_word_embeddings", "false"},
                               {"scale_attn_weights", "false"},
                               {"attn_pdrop", "0"},
                               {"layer_norm_epsilon", "1e-6"}});
  const Gpt2Config &config = gpt2(read);
  EXPECT_EQ(config.inner, 40);
  EXPECT_EQ(config.activation, Activation::GeluErf);
  EXPECT_FALSE(config.bias || config.tied || config.scaleAttention);
  EXPECT_EQ(config.attentionDropout, 0);
  EXPECT_EQ(config.epsilon, 1e-6);
}

TEST(Config, LlamaDefaults) {
  Read read = readWith(kLlama, {{"num_key_value_heads", nullptr}});
  const LlamaConfig &config = llama(read);
  EXPECT_EQ(config.kvHeads, 4);
  EXPECT_EQ(config.headSize, 6);
  EXPECT_EQ(config.theta, 10000);
  EXPECT_EQ(config.epsilon, 1e-6);
  EXPECT_FALSE(config.tied || config.attentionBias || config.mlpBias);
}

TEST(Config, LlamaVariants) {
  Read read = readWith(kLlama, {{"head_dim", "8"},
                                {"attention_bias", "true"},
                                {"mlp_bias", "true"},
                                {"tie_word_embeddings", "true"},
                                {"rope_theta", "500000.0"}});
  const LlamaConfig &config = llama(read);
  EXPECT_EQ(config.headSize, 8);
  EXPECT_TRUE(config.tied && config.attentionBias && config.mlpBias);
  EXPECT_EQ(config.theta, 500000);
}

TEST(Config, RopeParametersOfTransformers5) {
  const char *rope = R"({"rope_theta": 5e5, "rope_type": "default"})";
  EXPECT_EQ(llama(readWith(kLlama, {{"rope_parameters", rope}})).theta, 5e5);
  Read both =
      readWith(kLlama, {{"rope_parameters", rope}, {"rope_theta", "500000"}});
  EXPECT_EQ(llama(both).theta, 5e5);
}

TEST(Config, MistralIsLlamaWithAWindow) {
  std::vector<Member> base = kLlama;
  base[0] = {"model_type", "\"mistral\""};
  EXPECT_EQ(llama(readWith(base, {{"sliding_window", "8"}})).slidingWindow, 8);
  EXPECT_EQ(llama(readWith(base, {{"sliding_window", "null"}})).slidingWindow, 0);
  EXPECT_EQ(llama(readWith(base, {})).slidingWindow, 4096); // transformers' default
  EXPECT_EQ(readWith(base, {{"sliding_window", "0"}}).error,
            "config.json:1: key \"sliding_window\": found 0, wanted integer in [1, 2^24]");
  base[3] = {"hidden_size", "32"};
  base[6] = {"num_attention_heads", "8"};
  EXPECT_EQ(llama(readWith(base, {{"num_key_value_heads", nullptr}})).kvHeads, 8);
  EXPECT_EQ(llama(readWith(kLlama, {})).slidingWindow, 0);
}

TEST(Config, RopeScaling) {
  const char *three = R"({"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
      "high_freq_factor": 4.0, "original_max_position_embeddings": 8192})";
  for (const char *key : {"rope_scaling", "rope_parameters"}) {
    RopeScalingConfig scaling = llama(readWith(kLlama, {{key, three}})).ropeScaling;
    EXPECT_EQ(scaling.kind, RopeScalingConfig::Llama3);
    EXPECT_EQ(scaling.factor, 8);
    EXPECT_EQ(scaling.lowFrequency, 1);
    EXPECT_EQ(scaling.highFrequency, 4);
    EXPECT_EQ(scaling.context, 8192);
  }
  RopeScalingConfig linear =
      llama(readWith(kLlama, {{"rope_scaling", R"({"type": "linear", "factor": 2})"}}))
          .ropeScaling;
  EXPECT_EQ(linear.kind, RopeScalingConfig::Linear);
  EXPECT_EQ(linear.factor, 2);
  // Dynamic scaling starts beyond max_position_embeddings, where tt does not go.
  EXPECT_EQ(llama(readWith(kLlama, {{"rope_scaling",
                                     R"({"type": "dynamic", "factor": 4})"}}))
                .ropeScaling.kind,
            RopeScalingConfig::None);
}

TEST(Config, NeutralValuesChangeNothing) {
  Read read = readWith(kLlama, {{"rope_scaling", R"({"type": "default"})"},
                                {"sliding_window", "null"},
                                {"layer_types", R"(["full_attention"])"},
                                {"partial_rotary_factor", "1.0"},
                                {"quantization_config", "null"},
                                {"pruned_heads", "{}"},
                                {"is_encoder_decoder", "false"}});
  llama(read);
  EXPECT_TRUE(read.warnings.empty());
}

TEST(Config, HarmlessKeysAreIgnored) {
  Read read = readWith(kGpt2, {{"use_cache", "true"},
                               {"summary_type", "\"cls_index\""},
                               {"task_specific_params", R"({"a": {"b": 1}})"},
                               {"not_used", "null"}});
  gpt2(read);
  EXPECT_TRUE(read.warnings.empty());
}

TEST(Config, UnknownKeysAreRefusedOrLeftOut) {
  std::vector<Member> changes = {{"favourite\\u001bcolour", "\"blue\""}, {"n_layers", "3"}};
  EXPECT_EQ(readWith(kGpt2, changes).error,
            "config.json:1: key \"favourite\\x1bcolour\": found \"blue\", wanted only keys "
            "that tt knows (--ignore-unknown leaves it out)");
  EXPECT_EQ(readWith(kGpt2, {{"n_layers", "3"}}).error,
            "config.json:1: key \"n_layers\": found 3, wanted only keys that tt knows, did you "
            "mean 'n_layer'? (--ignore-unknown leaves it out)");
  EXPECT_EQ(readWith(kLlama, {{"use_bias", "false"}}).error.substr(0, 43),
            "config.json:1: key \"use_bias\": found false,");
  Read read = readWith(kGpt2, changes, UnknownKeys::Ignore);
  EXPECT_EQ(gpt2(read).layers, 2);
  ASSERT_EQ(read.warnings.size(), 2u);
  EXPECT_EQ(read.warnings[0], "config.json:1: key \"favourite\\x1bcolour\": found \"blue\", "
                              "unknown and left out");
  EXPECT_EQ(read.warnings[1],
            "config.json:1: key \"n_layers\": found 3, unknown and left out");
  // A known key is no unknown one.
  read = readWith(kGpt2, {{"add_cross_attention", "true"}}, UnknownKeys::Ignore);
  EXPECT_EQ(read.error, "config.json:1: key \"add_cross_attention\": found true, wanted false");
}

TEST(Config, ErrorsNameTheLineOfTheKey) {
  EXPECT_EQ(readText("{\n  \"model_type\":\n    \"gpt2\",\n  \"n_head\": {\n  }, \"vocab_size\": 0}")
                .error,
            "config.json:5: key \"vocab_size\": found 0, wanted integer in [1, 2^30]");
}

/// The key sets of files that people have, with small sizes: GPT-2, Llama, TinyLlama,
/// SmolLM, Mistral, and what transformers 4 and 5 save.
TEST(Config, FilesOfTheHubReadWithoutWarning) {
  unsigned count = 0;
  for (const auto &file : std::filesystem::directory_iterator(TT_FRONTEND_INPUTS "/configs")) {
    std::string error;
    std::vector<std::string> warnings;
    auto json = JsonDocument::load(file.path(), error);
    ASSERT_TRUE(json) << error;
    EXPECT_TRUE(readModelConfig(*json, error, warnings)) << error;
    EXPECT_TRUE(warnings.empty()) << warnings[0];
    ++count;
  }
  EXPECT_EQ(count, 20u);
}

TEST(Config, RopeOfLlama3InBothSpellings) {
  auto read = [](const char *name) {
    std::string error;
    std::vector<std::string> warnings;
    auto json = JsonDocument::load(
        std::string(TT_FRONTEND_INPUTS "/configs/") + name, error);
    return std::get<LlamaConfig>(*readModelConfig(*json, error, warnings));
  };
  LlamaConfig older = read("llama-3.1.json"), newer = read("llama-transformers-5.json");
  for (const LlamaConfig &config : {older, newer}) {
    EXPECT_EQ(config.theta, 500000);
    EXPECT_EQ(config.ropeScaling.kind, RopeScalingConfig::Llama3);
    EXPECT_EQ(config.ropeScaling.factor, 8);
    EXPECT_EQ(config.ropeScaling.context, 8192);
  }
}

TEST(Config, TinyCheckpointsReadWithoutWarning) {
  for (const char *name : {"gpt2-tiny", "llama-tiny"}) {
    std::string error;
    std::vector<std::string> warnings;
    auto json = JsonDocument::load(
        std::string(TT_FRONTEND_INPUTS "/") + name + "/config.json", error);
    ASSERT_TRUE(json) << error;
    EXPECT_TRUE(readModelConfig(*json, error, warnings)) << error;
    EXPECT_TRUE(warnings.empty()) << warnings[0];
  }
}

//===----------------------------------------------------------------------===//
// Refused
//===----------------------------------------------------------------------===//

namespace {
struct Wrong {
  std::vector<Member> changes;
  const char *message; // after the place
};
} // namespace

static void expectMessages(const std::vector<Member> &base,
                           const std::vector<Wrong> &table) {
  for (const Wrong &wrong : table) {
    Read read = readWith(base, wrong.changes);
    EXPECT_FALSE(read.config) << wrong.message;
    // A key that is there has a line.
    std::string message = wrong.message;
    std::string key = message.substr(4, message.find(':') - 4);
    bool isThere = read.text.find(key + ": ") != std::string::npos;
    EXPECT_EQ(read.error, (isThere ? "config.json:1: " : "config.json: ") + message);
  }
}

TEST(Config, WrongGpt2) {
  expectMessages(
      kGpt2,
      {
          {{{"vocab_size", nullptr}},
           R"(key "vocab_size": found nothing, wanted integer in [1, 2^30])"},
          {{{"vocab_size", "0"}},
           R"(key "vocab_size": found 0, wanted integer in [1, 2^30])"},
          {{{"vocab_size", "-5"}},
           R"(key "vocab_size": found -5, wanted integer in [1, 2^30])"},
          {{{"vocab_size", "4294967296"}},
           R"(key "vocab_size": found 4294967296, wanted integer in [1, 2^30])"},
          {{{"vocab_size", "61.5"}},
           R"(key "vocab_size": found 61.5, wanted integer in [1, 2^30])"},
          {{{"n_positions", "\"1024\""}},
           R"(key "n_positions": found string, wanted integer in [1, 2^24])"},
          {{{"n_embd", "null"}},
           R"(key "n_embd": found null, wanted integer in [1, 2^20])"},
          {{{"n_embd", "9223372036854775807"}},
           R"(key "n_embd": found 9223372036854775807, wanted integer in [1, 2^20])"},
          {{{"n_layer", "true"}},
           R"(key "n_layer": found true, wanted integer in [1, 4096])"},
          {{{"n_layer", "100000"}},
           R"(key "n_layer": found 100000, wanted integer in [1, 4096])"},
          {{{"n_head", "[2]"}},
           R"(key "n_head": found array, wanted integer in [1, 2^16])"},
          {{{"n_head", "5"}},
           R"(key "n_embd": found 16, wanted a multiple of n_head, 5)"},
          {{{"n_head", "32"}},
           R"(key "n_embd": found 16, wanted a multiple of n_head, 32)"},
          {{{"n_inner", "0"}},
           R"(key "n_inner": found 0, wanted integer in [1, 2^24])"},
          {{{"n_ctx", "1024"}},
           R"(key "n_ctx": found 1024, wanted n_positions, 12)"},
          {{{"hidden_size", "16"}},
           R"(key "hidden_size": found 16, wanted the key "n_embd" for model_type "gpt2")"},
          {{{"activation_function", "\"gelu_10\""}},
           R"(key "activation_function": found "gelu_10", wanted "gelu_new" or "gelu" or "gelu_pytorch_tanh" or "relu" or "silu" or "swish")"},
          {{{"activation_function", "3"}},
           R"(key "activation_function": found 3, wanted "gelu_new" or "gelu" or "gelu_pytorch_tanh" or "relu" or "silu" or "swish")"},
          {{{"layer_norm_epsilon", "0"}},
           R"(key "layer_norm_epsilon": found 0, wanted number in [1e-12, 1])"},
          {{{"layer_norm_epsilon", "\"1e-5\""}},
           R"(key "layer_norm_epsilon": found string, wanted number in [1e-12, 1])"},
          {{{"initializer_range", "-0.02"}},
           R"(key "initializer_range": found -0.02, wanted number in [0, 1])"},
          {{{"attn_pdrop", "1"}},
           R"(key "attn_pdrop": found 1, wanted number in [0, 1))"},
          {{{"resid_pdrop", "-0.1"}},
           R"(key "resid_pdrop": found -0.1, wanted number in [0, 1))"},
          {{{"embd_pdrop", "\"x\""}},
           R"(key "embd_pdrop": found "x", wanted number in [0, 1))"},
          {{{"scale_attn_weights", "1"}},
           R"(key "scale_attn_weights": found 1, wanted true or false)"},
          {{{"scale_attn_by_inverse_layer_idx", "true"}},
           R"(key "scale_attn_by_inverse_layer_idx": found true, wanted false)"},
          {{{"reorder_and_upcast_attn", "true"}},
           R"(key "reorder_and_upcast_attn": found true, wanted false)"},
          {{{"add_cross_attention", "true"}},
           R"(key "add_cross_attention": found true, wanted false)"},
          {{{"is_encoder_decoder", "true"}},
           R"(key "is_encoder_decoder": found true, wanted false)"},
          {{{"pruned_heads", R"({"0": [1]})"}},
           R"(key "pruned_heads": found object, wanted nothing in it)"},
          {{{"quantization_config", R"({"bits": 4})"}},
           R"(key "quantization_config": found object, wanted null)"},
          {{{"bias", "\"no\""}},
           R"(key "bias": found string, wanted true or false)"},
          {{{"tie_word_embeddings", "0"}},
           R"(key "tie_word_embeddings": found 0, wanted true or false)"},
          {{{"auto_map", R"({"AutoModel": "x.Y"})"}},
           R"(key "auto_map": found object, wanted null)"},
      });
}

TEST(Config, WrongLlama) {
  expectMessages(
      kLlama,
      {
          {{{"hidden_size", nullptr}},
           R"(key "hidden_size": found nothing, wanted integer in [1, 2^20])"},
          {{{"intermediate_size", "16777217"}},
           R"(key "intermediate_size": found 16777217, wanted integer in [1, 2^24])"},
          {{{"hidden_size", "26"}},
           R"(key "hidden_size": found 26, wanted a multiple of num_attention_heads, 4)"},
          {{{"num_key_value_heads", "3"}},
           R"(key "num_key_value_heads": found 3, wanted a divisor of num_attention_heads, 4)"},
          {{{"num_key_value_heads", "8"}},
           R"(key "num_key_value_heads": found 8, wanted a divisor of num_attention_heads, 4)"},
          {{{"num_key_value_heads", "0"}},
           R"(key "num_key_value_heads": found 0, wanted integer in [1, 2^16])"},
          {{{"head_dim", "7"}},
           R"(key "head_dim": found 7, wanted an even number, for the rotary embedding)"},
          {{{"hidden_size", "20"}},
           R"(key "head_dim": found 5, wanted an even number, for the rotary embedding)"},
          {{{"head_dim", "0"}},
           R"(key "head_dim": found 0, wanted integer in [1, 2^16])"},
          {{{"hidden_act", "\"gelu\""}},
           R"(key "hidden_act": found "gelu", wanted "silu" or "swish")"},
          {{{"rms_norm_eps", "-1e-6"}},
           R"(key "rms_norm_eps": found -1e-06, wanted number in [1e-12, 1])"},
          {{{"rope_theta", "0"}},
           R"(key "rope_theta": found 0, wanted number in [1, 1e+12])"},
          {{{"rope_scaling", R"({"type": "linear"})"}},
           R"(key "rope_scaling": found no factor, wanted a factor for rope_type "linear")"},
          {{{"rope_scaling", R"({"type": "linear", "factor": 0.5})"}},
           R"(key "rope_scaling": found factor 0.5, wanted factor in [1, 1e+06])"},
          {{{"rope_scaling", R"({"rope_type": "llama3", "factor": 8.0})"}},
           R"(key "rope_scaling": found rope_type "llama3", wanted low_freq_factor < high_freq_factor and a whole original_max_position_embeddings with it)"},
          {{{"rope_scaling", "2.0"}},
           R"(key "rope_scaling": found 2, wanted object or null)"},
          {{{"rope_parameters", R"({"rope_type": "yarn"})"}},
           R"(key "rope_parameters": found rope_type "yarn", wanted default, linear, dynamic or llama3)"},
          {{{"rope_parameters", R"({"rope_theta": "big"})"}},
           R"(key "rope_parameters": found rope_theta "big", wanted rope_theta in [1, 1e+12])"},
          {{{"rope_parameters", R"({"partial_rotary_factor": 0.5})"}},
           R"(key "rope_parameters": found partial_rotary_factor 0.5, wanted partial_rotary_factor 1)"},
          {{{"rope_parameters", R"({"beta_fast": 2})"}},
           R"(key "rope_parameters": found a member "beta_fast", wanted only rope_type, rope_theta, factor, low_freq_factor, high_freq_factor and original_max_position_embeddings)"},
          {{{"rope_parameters", "[]"}},
           R"(key "rope_parameters": found array, wanted object or null)"},
          {{{"rope_parameters", R"({"rope_theta": 5e5})"},
            {"rope_theta", "10000"}},
           R"(key "rope_theta": found 10000, wanted the value in rope_parameters)"},
          {{{"partial_rotary_factor", "0.5"}},
           R"(key "partial_rotary_factor": found 0.5, wanted 1)"},
          {{{"sliding_window", "4096"}},
           R"(key "sliding_window": found 4096, wanted null)"},
          {{{"layer_types", R"(["full_attention", "sliding_attention"])"}},
           R"(key "layer_types": found array, wanted only "full_attention")"},
          {{{"attention_bias", "null"}, {"mlp_bias", "\"\""}},
           R"(key "mlp_bias": found string, wanted true or false)"},
          {{{"attention_dropout", "2"}},
           R"(key "attention_dropout": found 2, wanted number in [0, 1))"},
          {{{"num_local_experts", "8"}},
           R"(key "num_local_experts": found 8, wanted null)"},
          {{{"attn_logit_softcapping", "50.0"}},
           R"(key "attn_logit_softcapping": found 50, wanted null)"},
          {{{"residual_multiplier", "0.22"}},
           R"(key "residual_multiplier": found 0.22, wanted 1)"},
          {{{"pretraining_tp", "2"}}, R"(key "pretraining_tp": found 2, wanted 1)"},
          {{{"rope_interleaved", "true"}},
           R"(key "rope_interleaved": found true, wanted false)"},
          {{{"num_experts_per_tok", "2"}},
           R"(key "num_experts_per_tok": found 2, wanted null)"},
          {{{"qk_norm", "true"}}, R"(key "qk_norm": found true, wanted false)"},
      });
}

TEST(Config, WrongFiles) {
  auto error = [](const char *text) { return readText(text).error; };
  EXPECT_EQ(error("[1, 2]"), "config.json: found array, wanted object");
  EXPECT_EQ(error("\"gpt2\""), "config.json: found \"gpt2\", wanted object");
  EXPECT_EQ(error("{}"), "config.json: key \"model_type\": found nothing, "
                         "wanted \"gpt2\" or \"llama\" or \"mistral\"");
  EXPECT_EQ(error(R"({"model_type": "bert"})"),
            "config.json:1: key \"model_type\": found \"bert\", wanted \"gpt2\" "
            "or \"llama\" or \"mistral\"");
  EXPECT_EQ(error(R"({"model_type": 7})"),
            "config.json:1: key \"model_type\": found 7, wanted \"gpt2\" "
            "or \"llama\" or \"mistral\"");
  // The strict parser's own messages are tested in Support.
  for (const char *text :
       {"", "{", "nul", "{\"a\": 1, \"a\": 2}", "{\"a\": NaN}", "{} {}"})
    EXPECT_EQ(error(text).substr(0, 12), "config.json:") << text;
}

TEST(Config, Workloads) {
  for (const char *name : {"W1a", "W1b", "W2", "W3"})
    EXPECT_TRUE(findWorkload(name)) << name;
  EXPECT_FALSE(findWorkload("W9"));
  EXPECT_FALSE(std::get<Gpt2Config>(findWorkload("W2")->model).bias);
  EXPECT_EQ(std::get<LlamaConfig>(findWorkload("W3")->model).kvHeads, 4);
}
