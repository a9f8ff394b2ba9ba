// The inputs of a library's entry from the command line.
#include "LibraryInputs.h"

#include "tt/Check/KnownTensors.h"
#include "tt/Reference/RandomInputs.h"
#include "tt/Support/HostMemory.h"
#include "tt/Support/SafetensorsFile.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

using namespace tt;
using namespace tt::check;
using namespace tt::run;
using support::CheckedSize;

static bool isFloat(const tt_tensor_info &info) { return info.dtype <= TT_F16; }

/// What no file gives: a step that counts from 1, a small rate, the seed itself,
/// ids in their range, floats of magnitude 0.25 to 1.25.
static HostTensor draw(const tt_tensor_info &info, reference::Random &random,
                       uint64_t seed) {
  reference::Shape shape(info.shape, info.shape + info.rank);
  std::string name = info.name;
  if (isFloat(info)) {
    reference::Tensor<double> floats(shape);
    for (double &x : floats.data) {
      x = random.between(0.25, 1.25);
      if (name != "learning_rate" && random.bits() & 1)
        x = -x;
    }
    if (name == "learning_rate")
      floats.data.assign(floats.data.size(), 1e-3);
    return floats;
  }
  reference::IntTensor ints(shape);
  int64_t limit = info.index_limit > 0 ? info.index_limit : info.dtype == TT_I1 ? 2 : 100;
  for (int64_t &x : ints.data)
    x = name == "step" ? 1 : name == "seed" ? int64_t(seed >> 1) : random.integer(0, limit);
  return ints;
}

static bool isInput(const std::vector<tt_tensor_info> &infos, const std::string &name) {
  return std::any_of(infos.begin(), infos.end(),
                     [&](const tt_tensor_info &info) { return name == info.name; });
}

/// The inputs that --set may give: "a scalar input: step, learning_rate".
static std::string scalarsText(const std::vector<tt_tensor_info> &infos) {
  std::vector<std::string> names;
  for (const tt_tensor_info &info : infos)
    if (info.rank == 0)
      names.push_back(info.name);
  if (names.empty())
    return "a scalar input, but the entry has none";
  return fmt::format("a scalar input: {}", fmt::join(names, ", "));
}

/// "NAME=VALUE" for the scalar `info`.
static bool parseScalar(const tt_tensor_info &info, const std::string &text,
                        HostTensor &value, std::string &error) {
  if (info.rank == 0 && isFloat(info)) {
    reference::Tensor<double> scalar;
    char *end;
    scalar[0] = std::strtod(text.c_str(), &end);
    value = scalar;
    if (!text.empty() && *end == 0)
      return true;
  } else if (info.rank == 0) {
    reference::IntTensor scalar;
    const char *end = text.data() + text.size();
    auto parsed = std::from_chars(text.data(), end, scalar[0]);
    value = scalar;
    if (parsed.ec == std::errc() && parsed.ptr == end)
      return true;
  }
  error = "error: --set " + std::string(info.name) + ": found \"" + text + "\", wanted " +
          (info.rank ? "--inputs for " : "a value of ") + typeText(info);
  return false;
}

/// All inputs together must fit into memory before the first is made.
static bool checkSizes(const std::vector<tt_tensor_info> &infos, std::string &error) {
  CheckedSize bytes;
  for (const tt_tensor_info &info : infos)
    bytes += CheckedSize::fromUnsigned(info.bytes) * CheckedSize(8); // as f64, too
  return support::checkHostMemory(bytes, "the entry's inputs", error);
}

/// Opens --inputs, every tensor of which is an input.
static bool openFile(const std::string &path, const LibraryRun &run, uint32_t entry,
                     support::SafetensorsFile &file, std::string &error) {
  std::vector<std::string> names;
  for (const tt_tensor_info &info : run.library().inputs(entry))
    names.push_back(info.name);
  const auto &tt = run.library().functions();
  std::string wanted =
      "an input of entry " + std::string(tt.entry_name(run.library().desc(), entry)) +
      " (parameters come with --parameters)";
  if (file.open(path, error) && checkKnownTensors(file, names, wanted, error))
    return true;
  error = "error: " + error;
  return false;
}

bool tt::run::readLibraryInputs(const Options &options, const LibraryRun &run,
                                uint32_t entry, std::vector<Encoded> &inputs,
                                std::string &error) {
  std::vector<tt_tensor_info> infos = run.library().inputs(entry);
  support::SafetensorsFile file;
  if (!checkSizes(infos, error) ||
      (!options.inputFile.empty() &&
       !openFile(options.inputFile, run, entry, file, error)))
    return false;
  std::map<std::string, std::string> scalars;
  for (const std::string &text : options.scalars) {
    size_t equals = text.find('=');
    std::string name = text.substr(0, equals);
    if (equals == std::string::npos || !isInput(infos, name)) {
      error = "error: --set: found \"" + text + "\", wanted NAME=VALUE of " +
              scalarsText(infos);
      return false;
    }
    if (!scalars.emplace(name, text.substr(equals + 1)).second) {
      error = "error: --set " + name + ": found it twice, wanted one value";
      return false;
    }
  }
  reference::Random random(options.randomSeed.value_or(0));
  size_t next = 0;
  for (const tt_tensor_info &info : infos) {
    HostTensor value;
    if (auto scalar = scalars.find(info.name); scalar != scalars.end()) {
      if (!parseScalar(info, scalar->second, value, error))
        return false;
    } else if (const auto *tensor = options.inputFile.empty() ? nullptr : file.find(info.name)) {
      Encoded encoded{tensor->dtype, tensor->shape, {}};
      if (!file.read(*tensor, encoded.bytes, error)) {
        error = "error: " + error;
        return false;
      }
      value = decode(encoded);
    } else if (next < options.inputs.size()) {
      if (!readNpy(options.inputs[next++], value, error)) {
        error = "error: " + error;
        return false;
      }
    } else if (options.randomSeed) {
      value = draw(info, random, *options.randomSeed);
    } else {
      error = "error: input " + std::string(info.name) + ": found no value for " +
              typeText(info) + ", wanted --input, --inputs, --set or --random-seed";
      return false;
    }
    inputs.emplace_back();
    if (!encodeFor(info, value, inputs.back(), error)) {
      error = "error: input " + error;
      return false;
    }
  }
  if (next == options.inputs.size())
    return true;
  error = "error: found more --input options than inputs to fill";
  return false;
}
