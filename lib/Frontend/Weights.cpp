// Parameters from safetensors files.
#include "tt/Frontend/Weights.h"

#include "WidenFloats.h"
#include "tt/Support/Escape.h"
#include "tt/runtime/AtomicFile.h"

#include <algorithm>
#include <set>
#include <sys/stat.h>

using namespace tt::frontend;
using namespace tt::runtime;
using tt::support::SafetensorsFile;

static std::string showShape(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (int64_t size : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

static bool report(std::string &error, const std::string &path,
                   std::string_view tensor, const std::string &found,
                   const std::string &wanted) {
  error = path + ": tensor \"" + tt::support::escapeTerminal(tensor) +
          "\": found " + found + ", wanted " + wanted;
  return false;
}

bool Checkpoint::open(const std::vector<std::string> &paths,
                      std::string &error) {
  files.clear();
  for (const std::string &path : paths) {
    SafetensorsFile file;
    // Old GPT-2 checkpoints hold their masks as U8.
    if (!file.open(path, error, /*foreignDtypes=*/true))
      return false;
    for (const SafetensorsFile::Tensor &tensor : file.tensors())
      if (Entry other = find(tensor.name); other.tensor)
        return report(error, path, tensor.name, "it here too",
                      "it only in " + other.file->path());
    files.push_back(std::move(file));
  }
  return true;
}

Checkpoint::Entry Checkpoint::find(std::string_view name) const {
  for (const SafetensorsFile &file : files)
    if (const SafetensorsFile::Tensor *tensor = file.find(name))
      return {&file, tensor};
  return {};
}

bool Checkpoint::isOneOfFiles(const std::string &path) const {
  struct stat one, other;
  if (stat(path.c_str(), &one) != 0)
    return false;
  return std::any_of(files.begin(), files.end(), [&](const auto &file) {
    return stat(file.path().c_str(), &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
  });
}

static const char *embeddingName(const ModelConfig &config) {
  return std::holds_alternative<Gpt2Config>(config) ? "wte.weight"
                                                    : "embed_tokens.weight";
}

std::string Checkpoint::prefix(const ModelConfig &config) const {
  std::string usual = defaultPrefix(config), name = embeddingName(config);
  bool isBare = !find(usual + name).tensor && find(name).tensor;
  return isBare ? "" : usual;
}

/// Masks and frequencies that older versions of transformers saved:
/// h.N.attn.bias, h.N.attn.masked_bias, layers.N.self_attn.rotary_emb.inv_freq.
bool Checkpoint::isIgnored(const ModelConfig &config,
                           std::string_view name) const {
  auto consume = [&](std::string_view text) {
    bool starts = name.substr(0, text.size()) == text;
    if (starts)
      name.remove_prefix(text.size());
    return starts;
  };
  consume(prefix(config));
  bool isGpt2 = std::holds_alternative<Gpt2Config>(config);
  if (!consume(isGpt2 ? "h." : "layers."))
    return false;
  size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  name.remove_prefix(digits);
  if (digits == 0)
    return false;
  return isGpt2 ? name == ".attn.bias" || name == ".attn.masked_bias"
                : name == ".self_attn.rotary_emb.inv_freq";
}

/// The head of a tied model, if it is there, must be the embedding.
bool Checkpoint::checkTied(const ModelConfig &config,
                           std::string &error) const {
  Entry head = find("lm_head.weight");
  if (!head.tensor)
    return true;
  std::string name = prefix(config) + embeddingName(config);
  Entry table = find(name);
  std::vector<char> one, other;
  if (!head.file->read(*head.tensor, one, error) ||
      !table.file->read(*table.tensor, other, error))
    return false;
  if (head.tensor->dtype == table.tensor->dtype && one == other)
    return true;
  return report(error, head.file->path(), "lm_head.weight",
                "values other than those of \"" + name + "\"",
                "equal ones, as tie_word_embeddings is true");
}

bool Checkpoint::check(const ModelConfig &config, std::string &error) const {
  ParameterTable table = listParameters(config, prefix(config));
  std::set<std::string_view> known;
  for (const Parameter *parameter : table.all()) {
    known.insert(parameter->name);
    Entry entry = find(parameter->name);
    if (!entry.tensor)
      return report(error, files.front().path(), parameter->name, "none",
                    "one of shape " + showShape(parameter->shape));
    const std::string &path = entry.file->path();
    if (entry.tensor->shape != parameter->shape)
      return report(error, path, parameter->name,
                    "shape " + showShape(entry.tensor->shape),
                    "shape " + showShape(parameter->shape));
    if (!widensTo(entry.tensor->dtype, /*toF64=*/true))
      return report(error, path, parameter->name,
                    safetensorsDtypeName(entry.tensor->dtype),
                    "F32, BF16, F16 or F64");
  }
  bool tied = std::visit([](const auto &c) { return c.tied; }, config);
  for (const SafetensorsFile &file : files)
    for (const SafetensorsFile::Tensor &tensor : file.tensors()) {
      bool isKnown = known.count(tensor.name) ||
                     (tied && tensor.name == "lm_head.weight") ||
                     isIgnored(config, tensor.name);
      if (!isKnown)
        return report(
            error, file.path(), tensor.name, "shape " + showShape(tensor.shape),
            "no tensor of this name in a " + std::string(familyName(config)) +
                " model of this configuration");
    }
  return !tied || checkTied(config, error);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
/// The header of the file to be written.
struct Contents {
  std::vector<const Parameter *> parameters; // by name, as the reference does
  SafetensorsDtype dtype;

  static void tensor(void *ctx, uint32_t index, const char *&name,
                     SafetensorsDtype &dtype, uint32_t &rank, int64_t *shape) {
    auto &self = *static_cast<Contents *>(ctx);
    const Parameter &parameter = *self.parameters[index];
    name = parameter.name.c_str();
    dtype = self.dtype;
    rank = parameter.shape.size();
    std::copy(parameter.shape.begin(), parameter.shape.end(), shape);
  }
  /// transformers refuses a file that does not say so.
  static void metadata(void *, uint32_t, const char *&key, const char *&value) {
    key = "format";
    value = "pt";
  }
};
} // namespace

bool Checkpoint::convert(const ModelConfig &config, bool toF64,
                         const std::string &path, std::string &error,
                         std::vector<std::string> &warnings) const {
  ParameterTable table = listParameters(config, prefix(config));
  Contents contents{table.all(),
                    toF64 ? SafetensorsDtype::F64 : SafetensorsDtype::F32};
  std::sort(contents.parameters.begin(), contents.parameters.end(),
            [](const auto *a, const auto *b) { return a->name < b->name; });
  SafetensorsContents header;
  header.ctx = &contents;
  header.numTensors = contents.parameters.size();
  header.tensor = Contents::tensor;
  header.numMetadata = 1;
  header.metadata = Contents::metadata;

  char text[1024] = "";
  ErrorText errorText{text, sizeof text};
  auto fail = [&]() {
    error = text;
    return false;
  };
  AtomicFile file; // abandoned on the way out unless committed
  uint64_t dataBytes = 0;
  if (!file.open(path.c_str(), errorText) ||
      !writeSafetensorsHeader(header, file.sink(), dataBytes, errorText))
    return fail();
  std::vector<char> values;
  for (const Parameter *parameter : contents.parameters) {
    Entry entry = find(parameter->name);
    SafetensorsDtype from = entry.tensor->dtype;
    if (!widensTo(from, toF64))
      return report(error, entry.file->path(), parameter->name,
                    safetensorsDtypeName(from),
                    "F32, BF16 or F16 (F64 needs --dtype=f64)");
    if (!entry.file->read(*entry.tensor, values, error))
      return false;
    if (uint64_t bad = widenFloats(values, from, toF64))
      warnings.push_back(entry.file->path() + ": tensor \"" + parameter->name +
                         "\": " + std::to_string(bad) +
                         " values are not finite");
    if (!file.write(values.data(), values.size(), errorText))
      return fail();
  }
  return file.commit(errorText) || fail();
}
