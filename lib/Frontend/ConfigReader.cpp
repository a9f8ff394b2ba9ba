// Reading a config.json key by key.
#include "ConfigReader.h"

#include "tt/Support/Escape.h"

#include <algorithm>

using namespace tt::frontend;
using tt::support::JsonDocument;
using tt::support::JsonMember;
using tt::support::JsonValue;

//===----------------------------------------------------------------------===//
// Keys without a getter
//===----------------------------------------------------------------------===//

namespace {
enum class Neutral { False, Null, One, Empty, FullAttention };
struct ArchitectureKey {
  const char *key;
  Neutral neutral;
};
} // namespace

/// Keys of models like ours that change what is computed. Null is neutral for
/// all of them, as it stands for "not used".
static constexpr ArchitectureKey kArchitectureKeys[] = {
    {"add_cross_attention", Neutral::False},
    {"alibi", Neutral::False},
    {"attention_multiplier", Neutral::Null},
    {"attn_logit_softcapping", Neutral::Null},
    {"auto_map", Neutral::Null}, // code of its own
    {"embedding_multiplier", Neutral::One},
    {"final_logit_softcapping", Neutral::Null},
    {"is_encoder_decoder", Neutral::False},
    {"layer_types", Neutral::FullAttention},
    {"logit_scale", Neutral::One},
    {"logits_scaling", Neutral::One},
    {"no_rope_layers", Neutral::Empty},
    {"num_experts", Neutral::Null},
    {"num_local_experts", Neutral::Null},
    {"partial_rotary_factor", Neutral::One},
    {"pruned_heads", Neutral::Empty},
    {"qk_layernorm", Neutral::False},
    {"qk_norm", Neutral::False},
    {"quantization_config", Neutral::Null},
    {"reorder_and_upcast_attn", Neutral::False},
    {"residual_multiplier", Neutral::One},
    {"rope_scaling", Neutral::Null},
    {"scale_attn_by_inverse_layer_idx", Neutral::False},
    {"sliding_window", Neutral::Null},
    {"tie_encoder_decoder", Neutral::False},
    {"use_qk_norm", Neutral::False},
    {"use_sliding_window", Neutral::False},
};

/// Keys that say nothing about the graph: bookkeeping, generation, heads that
/// are not the language model's.
static constexpr std::string_view kHarmlessKeys[] = {
    "_attn_implementation",
    "_attn_implementation_autoset",
    "_name_or_path",
    "_num_labels",
    "architectures",
    "attn_implementation",
    "bad_words_ids",
    "begin_suppress_tokens",
    "bos_token_id",
    "chunk_size_feed_forward",
    "cls_token_id",
    "cross_attention_hidden_size",
    "decoder_start_token_id",
    "diversity_penalty",
    "do_sample",
    "dtype",
    "early_stopping",
    "encoder_no_repeat_ngram_size",
    "eos_token_id",
    "exponential_decay_length_penalty",
    "finetuning_task",
    "forced_bos_token_id",
    "forced_eos_token_id",
    "gradient_checkpointing",
    "id2label",
    "is_decoder",
    "label2id",
    "length_penalty",
    "max_length",
    "max_new_tokens",
    "min_length",
    "model_type",
    "n_special",
    "no_repeat_ngram_size",
    "num_beam_groups",
    "num_beams",
    "num_labels",
    "num_return_sequences",
    "output_attentions",
    "output_hidden_states",
    "output_scores",
    "pad_token_id",
    "predict_special_tokens",
    "prefix",
    "pretraining_tp",
    "problem_type",
    "remove_invalid_values",
    "repetition_penalty",
    "return_dict",
    "return_dict_in_generate",
    "sep_token_id",
    "summary_activation",
    "summary_first_dropout",
    "summary_proj_to_labels",
    "summary_type",
    "summary_use_proj",
    "suppress_tokens",
    "task_specific_params",
    "temperature",
    "tf_legacy_loss",
    "tokenizer_class",
    "top_k",
    "top_p",
    "torch_dtype",
    "torchscript",
    "transformers_version",
    "typical_p",
    "unk_token_id",
    "use_bfloat16",
    "use_cache",
    "use_return_dict"};

static const char *wantedText(Neutral neutral) {
  switch (neutral) {
  case Neutral::False:
    return "false";
  case Neutral::Null:
    return "null";
  case Neutral::One:
    return "1";
  case Neutral::Empty:
    return "nothing in it";
  case Neutral::FullAttention:
    return "only \"full_attention\"";
  }
  return "";
}

static bool isNeutral(const JsonValue &value, Neutral neutral) {
  if (value.isNull())
    return true;
  switch (neutral) {
  case Neutral::False:
  case Neutral::Null:
    return value.isBool() && !value.boolean();
  case Neutral::One:
    return value.isNumber() && value.number() == 1;
  case Neutral::Empty:
    return (value.isArray() && value.elements().empty()) ||
           (value.isObject() && value.members().empty());
  case Neutral::FullAttention:
    return value.isArray() &&
           std::all_of(value.elements().begin(), value.elements().end(),
                       [](const JsonValue &type) {
                         return type.isString() &&
                                type.string() == "full_attention";
                       });
  }
  return false;
}

void ConfigReader::refuseOtherArchitectures() {
  for (const ArchitectureKey &entry : kArchitectureKeys) {
    const JsonValue *value = taken.count(entry.key) ? nullptr : take(entry.key);
    if (value && !isNeutral(*value, entry.neutral))
      report(entry.key, show(*value), wantedText(entry.neutral));
  }
}

void ConfigReader::finish() {
  refuseOtherArchitectures();
  if (!ok())
    return;
  for (const JsonMember &member : json.root().members())
    if (!taken.count(member.first) &&
        std::find(std::begin(kHarmlessKeys), std::end(kHarmlessKeys),
                  member.first) == std::end(kHarmlessKeys))
      warnings.push_back(json.name() + ": key \"" +
                         support::escapeTerminal(member.first) +
                         "\": unknown, ignored");
}

//===----------------------------------------------------------------------===//
// Getters
//===----------------------------------------------------------------------===//

std::string ConfigReader::show(const JsonValue &value) {
  if (!value.isString())
    return value.describe();
  return "\"" + support::escapeTerminal(value.string()).substr(0, 64) + "\"";
}

const JsonValue *ConfigReader::take(const char *key) {
  taken.insert(key);
  return json.root().find(key);
}

int64_t ConfigReader::size(const char *key, int64_t high) {
  taken.insert(key);
  return json.getInteger(key, 1, high, error).value_or(1);
}

int64_t ConfigReader::sizeOr(const char *key, int64_t otherwise, int64_t high) {
  taken.insert(key);
  return json.getInteger(key, 1, high, otherwise, error).value_or(1);
}

double ConfigReader::numberOr(const char *key, double low, double high,
                              double otherwise) {
  taken.insert(key);
  return json.getNumber(key, low, high, otherwise, error).value_or(low);
}

bool ConfigReader::boolOr(const char *key, bool otherwise) {
  taken.insert(key);
  return json.getBool(key, otherwise, error).value_or(false);
}

double ConfigReader::probabilityOr(const char *key, double otherwise) {
  const JsonValue *value = take(key);
  if (!value || value->isNull())
    return otherwise;
  if (value->isNumber() && value->number() >= 0 && value->number() < 1)
    return value->number();
  report(key, show(*value), "number in [0, 1)");
  return 0;
}

std::string ConfigReader::choiceOr(const char *key,
                                   const std::vector<std::string> &choices,
                                   const std::string &otherwise) {
  const JsonValue *value = take(key);
  if (!value || value->isNull())
    return otherwise;
  return json.getChoice(key, choices, error).value_or(otherwise);
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

std::optional<ModelConfig>
tt::frontend::readModelConfig(const JsonDocument &json, std::string &error,
                              std::vector<std::string> &warnings) {
  if (!json.root().isObject()) {
    error = json.name() + ": found " + ConfigReader::show(json.root()) +
            ", wanted object";
    return std::nullopt;
  }
  std::optional<std::string> family =
      json.getChoice("model_type", {"gpt2", "llama", "mistral"}, error);
  if (!family)
    return std::nullopt;
  ConfigReader reader(json, error, warnings);
  ModelConfig config;
  if (*family == "gpt2")
    config = readGpt2Config(reader);
  else
    config = readLlamaConfig(reader, /*isMistral=*/*family == "mistral");
  reader.finish();
  if (!reader.ok())
    return std::nullopt;
  return config;
}
