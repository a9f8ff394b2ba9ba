#include "tt/Trainer/TrainEntries.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

using namespace tt;
using namespace tt::trainer;

static const char *dtypeName(uint32_t dtype) {
  constexpr const char *kNames[] = {"f64", "f32", "bf16", "f16",
                                    "i64", "i32", "i8",   "i1"};
  return dtype < std::size(kNames) ? kNames[dtype] : "?";
}

std::string tt::trainer::typeText(uint32_t dtype, const int64_t *shape,
                                  size_t rank) {
  std::string text = "[";
  for (size_t i = 0; i < rank; ++i)
    text += (i ? ", " : "") +
            (shape[i] < 0 ? std::string("?") : std::to_string(shape[i]));
  return fmt::format("{}] {}", text, dtypeName(dtype));
}

const tt_tensor_info *
tt::trainer::findTensor(const std::vector<tt_tensor_info> &list,
                        std::string_view name) {
  for (const tt_tensor_info &info : list)
    if (name == info.name)
      return &info;
  return nullptr;
}

void TrainPort::setInput(const char *name, const void *from) {
  for (size_t i = 0; i < inputInfos.size(); ++i)
    if (std::string_view(name) == inputInfos[i].name)
      inputs[i] = from;
}

void TrainPort::setOutput(const char *name, void *to) {
  for (size_t i = 0; i < outputInfos.size(); ++i)
    if (std::string_view(name) == outputInfos[i].name)
      outputs[i] = to;
}

namespace {
struct Wanted {
  const char *name;
  tt_dtype dtype;
  std::vector<int64_t> shape; // -1: any
};

/// Fills TrainEntries.
class Finder {
public:
  Finder(const runtime::ModelTypes &newTypes, TrainEntries &newEntries,
         std::string &newError)
      : types(newTypes), entries(newEntries), error(newError) {}

  bool run(bool forTraining);

private:
  std::optional<uint32_t> find(std::string_view name) const;
  bool findEntry(const char *name, const std::vector<Wanted> &inputs,
                 const std::vector<Wanted> &outputs, TrainPort &port);
  bool checkTensors(const std::string &entry, const char *kind,
                    const std::vector<tt_tensor_info> &found,
                    const std::vector<Wanted> &wanted, bool onlyThese);

  const runtime::ModelTypes &types;
  TrainEntries &entries;
  std::string &error;
};
} // namespace

bool Finder::checkTensors(const std::string &entry, const char *kind,
                          const std::vector<tt_tensor_info> &found,
                          const std::vector<Wanted> &wanted, bool onlyThese) {
  auto fail = [&](std::string_view name, const std::string &rest) {
    error = fmt::format("{}: entry \"{}\": {} \"{}\": {}", types.path, entry,
                        kind, name, rest);
    return false;
  };
  for (const Wanted &want : wanted) {
    std::string type =
        typeText(want.dtype, want.shape.data(), want.shape.size());
    const tt_tensor_info *info = findTensor(found, want.name);
    if (!info)
      return fail(want.name, "found none, wanted " + type);
    bool fits = info->dtype == want.dtype && info->rank == want.shape.size();
    for (size_t i = 0; fits && i < want.shape.size(); ++i)
      fits = info->shape[i] > 0 &&
             (want.shape[i] < 0 || want.shape[i] == info->shape[i]);
    if (!fits)
      return fail(want.name,
                  fmt::format("found {}, wanted {}",
                              typeText(info->dtype, info->shape, info->rank),
                              type));
  }
  if (onlyThese)
    for (const tt_tensor_info &info : found)
      if (std::none_of(wanted.begin(), wanted.end(), [&](const Wanted &want) {
            return std::string_view(want.name) == info.name;
          }))
        return fail(info.name, "found one that tt-train does not know");
  return true;
}

std::optional<uint32_t> Finder::find(std::string_view name) const {
  for (uint32_t i = 0; i < types.entries.size(); ++i)
    if (types.entries[i].name == name)
      return i;
  return std::nullopt;
}

bool Finder::findEntry(const char *name, const std::vector<Wanted> &inputs,
                       const std::vector<Wanted> &outputs, TrainPort &port) {
  std::optional<uint32_t> entry = find(name);
  if (!entry) {
    error = fmt::format("{}: found no entry \"{}\", wanted a library that "
                        "tt-compile made for training",
                        types.path, name);
    return false;
  }
  port.entry = *entry;
  port.inputInfos = types.entries[port.entry].inputs;
  port.outputInfos = types.entries[port.entry].outputs;
  port.inputs.resize(port.inputInfos.size());
  port.outputs.resize(port.outputInfos.size());
  if (!checkTensors(name, "input", port.inputInfos, inputs, true) ||
      !checkTensors(name, "output", port.outputInfos, outputs, false))
    return false;
  const tt_tensor_info *tokens = findTensor(port.inputInfos, "tokens");
  port.shape = {tokens->shape[0], tokens->shape[1]};
  if (tokens->index_limit <= 0) {
    error = fmt::format("{}: entry \"{}\": input \"tokens\": found no limit of "
                        "its ids, wanted the vocabulary's size",
                        types.path, name);
    return false;
  }
  entries.numIds = entries.numIds ? std::min(entries.numIds, tokens->index_limit)
                                  : tokens->index_limit;
  if (const tt_tensor_info *targets = findTensor(port.inputInfos, "targets")) {
    if (!std::equal(targets->shape, targets->shape + 2, tokens->shape) ||
        targets->index_ignore != kIgnoredTarget) {
      std::string ignored = "without tt.index_ignore";
      if (targets->index_ignore)
        ignored =
            fmt::format("with tt.index_ignore = {}", targets->index_ignore);
      error = fmt::format(
          "{}: entry \"{}\": input \"targets\": found {} {}, wanted {} with "
          "tt.index_ignore = {}",
          types.path, name, typeText(targets->dtype, targets->shape, 2),
          ignored, typeText(TT_I32, tokens->shape, 2), kIgnoredTarget);
      return false;
    }
    if (targets->index_limit > 0)
      entries.numIds = std::min(entries.numIds, targets->index_limit);
  }
  port.exists = true;
  return true;
}

bool Finder::run(bool forTraining) {
  const Wanted tokens = {"tokens", TT_I32, {-1, -1}};
  const Wanted targets = {"targets", TT_I32, {-1, -1}};
  const Wanted loss = {"loss", TT_F32, {}};
  if (forTraining &&
      (!findEntry("train_step",
                  {tokens,
                   targets,
                   {"learning_rate", TT_F32, {}},
                   {"step", TT_I64, {}},
                   {"seed", TT_I64, {}}},
                  {loss,
                   {"grad_norm", TT_F32, {}},
                   {"clip", TT_F32, {}},
                   {"skipped", TT_I32, {}}},
                  entries.train) ||
       !findEntry("eval", {tokens, targets}, {loss}, entries.eval)))
    return false;
  if (forTraining && !find("logits"))
    return true;
  return findEntry("logits", {tokens, {"position", TT_I32, {}}},
                   {{"logits", TT_F32, {-1, -1}}}, entries.logits);
}

bool TrainEntries::find(const runtime::ModelTypes &types, bool forTraining,
                        std::string &error) {
  *this = {};
  return Finder(types, *this, error).run(forTraining);
}
