// Reading a config.json key by key.
#include "ConfigReader.h"

#include "tt/Support/Escape.h"
#include "tt/Support/NearestName.h"

#include <algorithm>

using namespace tt;
using namespace tt::frontend;
using tt::support::JsonDocument;
using tt::support::JsonMember;
using tt::support::JsonValue;

//===----------------------------------------------------------------------===//
// Keys without a getter
//===----------------------------------------------------------------------===//

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
  for (const ArchitectureKey &entry : architectureKeys()) {
    const JsonValue *value = taken.count(entry.key) ? nullptr : take(entry.key);
    if (value && !isNeutral(*value, entry.neutral))
      report(entry.key, show(*value), wantedText(entry.neutral));
  }
}

void ConfigReader::refuseUnknown(const JsonMember &member) {
  std::vector<std::string_view> known(taken.begin(), taken.end());
  known.insert(known.end(), harmlessKeys().begin(), harmlessKeys().end());
  json.report(member.first, show(member.second),
              "only keys that tt knows" + support::didYouMean(member.first, known) +
                  " (--ignore-unknown leaves it out)",
              error);
}

void ConfigReader::finish(UnknownKeys unknown) {
  refuseOtherArchitectures();
  for (const JsonMember &member : json.root().members()) {
    const auto &[key, value] = member;
    if (!ok())
      return;
    const auto &harmless = harmlessKeys();
    if (taken.count(key) || value.isNull() ||
        std::find(harmless.begin(), harmless.end(), key) != harmless.end())
      continue;
    if (unknown == UnknownKeys::Refuse)
      refuseUnknown(member);
    else
      warnings.push_back(json.place(key) + ": key \"" + support::escapeTerminal(key) +
                         "\": found " + show(value) + ", unknown and left out");
  }
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
                              std::vector<std::string> &warnings,
                              UnknownKeys unknown) {
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
  reader.finish(unknown);
  if (!reader.ok())
    return std::nullopt;
  return config;
}
