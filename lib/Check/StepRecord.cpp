//===- StepRecord.cpp - One call of a library in a file -------------------===//
#include "tt/Check/StepRecord.h"

#include "tt/Support/JsonDocument.h"
#include "tt/Support/SafetensorsFile.h"
#include "tt/runtime/ModelTable.h"

#include <filesystem>

using namespace tt;
using namespace tt::check;

static constexpr char kOption[] = "tt.option.";

/// The lists and the prefixes of their names.
template <typename Record, typename Visit> static void visitLists(Record &record, Visit visit) {
  // The longer prefixes first: a name belongs to the first that fits.
  visit("after:parameter:", record.newParameters);
  visit("after:state:", record.newStates);
  visit("parameter:", record.parameters);
  visit("state:", record.states);
  visit("input:", record.inputs);
  visit("output:", record.outputs);
}

bool StepRecord::write(const std::string &path, std::string &error) const {
  std::map<std::string, std::string> metadata = {
      {"tt.record", "1"}, {"tt.entry", entry}, {"tt.hash", hash},
      {"tt.library", library},
      {"tt.level", level}};
  for (const auto &[name, value] : options)
    metadata[kOption + name] = value;
  std::vector<support::SafetensorsInput> tensors;
  visitLists(*this, [&](const char *prefix, const std::vector<NamedTensor> &list) {
    for (const NamedTensor &tensor : list)
      tensors.push_back({prefix + tensor.name, tensor.value.dtype, tensor.value.shape,
                         tensor.value.bytes.data()});
  });
  return support::writeSafetensorsFile(path, tensors, metadata, error);
}

bool StepRecord::read(const std::string &path, std::string &error) {
  support::SafetensorsFile file;
  if (!file.open(path, error))
    return false;
  auto get = [&](const char *key) {
    auto found = file.metadata().find(key);
    return found == file.metadata().end() ? std::string() : found->second;
  };
  entry = get("tt.entry");
  hash = get("tt.hash");
  library = get("tt.library");
  level = get("tt.level");
  if (get("tt.record") != "1" || entry.empty() || hash.empty()) {
    error = path + ": found no record of a call, wanted a file of tt-run --record";
    return false;
  }
  for (const auto &[key, value] : file.metadata())
    if (key.rfind(kOption, 0) == 0)
      options[key.substr(sizeof kOption - 1)] = value;
  for (const auto &tensor : file.tensors()) {
    NamedTensor read;
    read.value = {tensor.dtype, tensor.shape, {}};
    if (!file.read(tensor, read.value.bytes, error))
      return false;
    bool isKnown = false;
    visitLists(*this, [&](std::string_view prefix, std::vector<NamedTensor> &list) {
      if (isKnown || tensor.name.rfind(prefix, 0) != 0)
        return;
      isKnown = true;
      read.name = tensor.name.substr(prefix.size());
      list.push_back(std::move(read));
    });
    if (isKnown)
      continue;
    error = path + ": found a tensor \"" + tensor.name + "\", wanted those of a record";
    return false;
  }
  return true;
}

/// The options in NAME.json beside NAME.so; none if there is no such file.
static bool readManifest(const std::string &library,
                         std::map<std::string, std::string> &options, std::string &error) {
  std::filesystem::path path(library);
  path.replace_extension(".json");
  std::error_code status;
  if (!std::filesystem::exists(path, status))
    return true;
  support::JsonDocumentLimits limits;
  limits.maxBytes = uint64_t(64) << 20; // a large model has many tensors
  auto manifest = support::JsonDocument::load(path, error, limits);
  if (!manifest)
    return false;
  if (const support::JsonValue *object = manifest->root().find("options"))
    for (const support::JsonMember &member : object->members())
      if (member.second.isString())
        options[member.first] = member.second.string();
  return true;
}

bool StepRecord::takeBefore(LibraryRun &run, const std::string &path, uint32_t number,
                            const std::vector<Encoded> &values, std::string &error) {
  const tt_model_desc &desc = *run.library().desc();
  entry = desc.entries[number].name;
  hash = desc.hash;
  std::error_code status;
  library = std::filesystem::absolute(path, status).lexically_normal().string();
  if (!readManifest(library, options, error) || !run.getTensors(0, parameters, error) ||
      !run.getTensors(1, states, error))
    return false;
  std::vector<tt_tensor_info> infos = run.library().inputs(number);
  for (size_t i = 0; i < infos.size(); ++i)
    inputs.push_back({infos[i].name, values[i]});
  return true;
}

/// The tensors of `after` whose bytes are not those of `before`.
static std::vector<NamedTensor> changed(const std::vector<NamedTensor> &before,
                                        std::vector<NamedTensor> after) {
  std::vector<NamedTensor> result;
  for (size_t i = 0; i < before.size(); ++i)
    if (before[i].value.bytes != after[i].value.bytes)
      result.push_back(std::move(after[i]));
  return result;
}

bool StepRecord::takeAfter(LibraryRun &run, const std::vector<NamedTensor> &given,
                           std::string &error) {
  std::vector<NamedTensor> parametersNow, statesNow;
  if (!run.getTensors(0, parametersNow, error) || !run.getTensors(1, statesNow, error))
    return false;
  outputs = given;
  newParameters = changed(parameters, std::move(parametersNow));
  newStates = changed(states, std::move(statesNow));
  return true;
}
