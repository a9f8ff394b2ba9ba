// The rotary embedding of a config.json, in its older and its newer spelling.
#include "ConfigReader.h"

#include "tt/Support/Escape.h"

using namespace tt;
using namespace tt::frontend;
using tt::support::JsonValue;

static constexpr double kMaxTheta = 1e12;
static constexpr double kMaxFactor = 1e6;

namespace {
/// The members of `rope_parameters`, or of the older `rope_scaling`.
class RopeReader {
public:
  RopeReader(ConfigReader &reader, const char *key, LlamaConfig &config)
      : reader(reader), key(key), config(config) {}

  void read(const JsonValue &object);

private:
  void member(const std::string &name, const JsonValue &value);
  void number(const std::string &name, const JsonValue &value, double low,
              double high, double &to);
  void finish();
  void report(const std::string &found, const std::string &wanted) {
    if (reader.ok())
      reader.report(key, found, wanted);
  }

  ConfigReader &reader;
  const char *key;
  LlamaConfig &config;
  std::string type = "default";
  double factor = 0, low = 0, high = 0, context = 0;
};
} // namespace

void RopeReader::number(const std::string &name, const JsonValue &value,
                        double least, double most, double &to) {
  if (value.isNumber() && value.number() >= least && value.number() <= most) {
    to = value.number();
    return;
  }
  char range[64];
  std::snprintf(range, sizeof range, " in [%g, %g]", least, most);
  report(name + " " + ConfigReader::show(value), name + range);
}

void RopeReader::member(const std::string &name, const JsonValue &value) {
  if (name == "rope_type" || name == "type") {
    if (!value.isString())
      return report(name + " " + ConfigReader::show(value), name + " as a string");
    type = value.string();
  } else if (name == "rope_theta" && std::string_view(key) == "rope_parameters") {
    number(name, value, 1, kMaxTheta, config.theta);
  } else if (name == "partial_rotary_factor") {
    if (!value.isNumber() || value.number() != 1)
      report(name + " " + ConfigReader::show(value), name + " 1");
  } else if (name == "factor") {
    number(name, value, 1, kMaxFactor, factor);
  } else if (name == "low_freq_factor") {
    number(name, value, 1e-6, kMaxFactor, low);
  } else if (name == "high_freq_factor") {
    number(name, value, 1e-6, kMaxFactor, high);
  } else if (name == "original_max_position_embeddings") {
    number(name, value, 1, double(kMaxPositions), context);
  } else {
    report("a member \"" + support::escapeTerminal(name).substr(0, 64) + "\"",
           "only rope_type, rope_theta, factor, low_freq_factor, high_freq_factor "
           "and original_max_position_embeddings");
  }
}

/// What the type needs is there.
void RopeReader::finish() {
  RopeScalingConfig &scaling = config.ropeScaling;
  if (type == "default")
    return;
  if (type != "linear" && type != "dynamic" && type != "llama3")
    return report("rope_type \"" + support::escapeTerminal(type).substr(0, 64) + "\"",
                  "default, linear, dynamic or llama3");
  if (factor == 0)
    return report("no factor", "a factor for rope_type \"" + type + "\"");
  if (type == "dynamic") // changes nothing up to max_position_embeddings
    return;
  scaling.factor = factor;
  scaling.kind = RopeScalingConfig::Linear;
  if (type == "linear")
    return;
  if (low == 0 || context == 0 || !(low < high) || context != double(int64_t(context)))
    return report("rope_type \"llama3\"",
                  "low_freq_factor < high_freq_factor and a whole "
                  "original_max_position_embeddings with it");
  scaling.kind = RopeScalingConfig::Llama3;
  scaling.lowFrequency = low;
  scaling.highFrequency = high;
  scaling.context = int64_t(context);
}

void RopeReader::read(const JsonValue &object) {
  if (!object.isObject())
    return report(ConfigReader::show(object), "object or null");
  for (const auto &[name, value] : object.members())
    member(name, value);
  if (reader.ok())
    finish();
}

void tt::frontend::readRope(ConfigReader &reader, LlamaConfig &config) {
  config.theta = reader.numberOr("rope_theta", 1, kMaxTheta, 10000);
  double direct = config.theta;
  const JsonValue *top = reader.take("rope_theta");
  const JsonValue *scaling = reader.take("rope_scaling");
  const JsonValue *parameters = reader.take("rope_parameters");
  if (scaling && !scaling->isNull())
    RopeReader(reader, "rope_scaling", config).read(*scaling);
  // Both, as some writers leave it: the newer one counts, and says all.
  if (parameters && !parameters->isNull() && reader.ok()) {
    config.ropeScaling = RopeScalingConfig();
    RopeReader(reader, "rope_parameters", config).read(*parameters);
  }
  if (top && !top->isNull() && config.theta != direct && reader.ok())
    reader.report("rope_theta", ConfigReader::show(*top),
                  "the value in rope_parameters");
}
