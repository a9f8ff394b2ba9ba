// What tt-run prints and writes.
#include "Results.h"

#include "tt/Support/Escape.h"
#include "tt/Support/OutputProbe.h"
#include "tt/Support/SafetensorsFile.h"
#include "tt/Support/StandardOutput.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

using namespace tt;
using namespace tt::check;
using tt::run::Options;
using tt::run::Result;

/// Results of more elements are not printed in full.
static constexpr size_t kPrinted = 64;

static std::string safe(const std::string &text) {
  return support::escapeTerminal(text, /*keepNewlines=*/true);
}

int tt::run::fail(const std::string &text) {
  fmt::print(stderr, "tt-run: {}\n", safe(text));
  return 1;
}

void tt::run::print(const Result &result, bool isDouble) {
  const HostTensor &value = result.value;
  size_t count = value.isFloat() ? value.floats().data.size() : value.ints().data.size();
  std::string text = fmt::format("{} {}[{}]", safe(result.name),
                                 value.isFloat() ? "float" : "int",
                                 fmt::join(value.shape(), ", "));
  if (count > kPrinted)
    return support::printOut(fmt::format("{}: {} elements, not printed\n", text, count));
  text += " =";
  for (size_t i = 0; i < count; ++i) {
    if (!value.isFloat())
      text += fmt::format(" {}", value.ints().data[i]);
    else if (isDouble)
      text += fmt::format(" {}", value.floats().data[i]);
    else
      text += fmt::format(" {}", float(value.floats().data[i]));
  }
  support::printOut(text + "\n");
}

/// Two results of one name get different ones.
static std::vector<std::string> namesApart(std::vector<std::string> names) {
  std::set<std::string> taken;
  for (size_t i = 0; i < names.size(); ++i)
    while (!taken.insert(names[i]).second)
      names[i] += ".result" + std::to_string(i);
  return names;
}

/// A path of its own for each result, without what a file name should not hold.
static std::vector<std::string> npyPaths(const Options &options,
                                         std::vector<std::string> names) {
  for (std::string &name : names)
    std::replace_if(
        name.begin(), name.end(),
        [](unsigned char c) { return c == '/' || c < 0x20 || c == 0x7f; }, '_');
  names = namesApart(std::move(names));
  for (std::string &name : names)
    name = options.outputDirectory + "/" + name + ".npy";
  return names;
}

bool tt::run::probeOutputs(const Options &options, const std::vector<std::string> &results,
                           std::string &error) {
  std::vector<std::string> paths = {options.outputFile, options.saveFile,
                                    options.recordFile};
  std::vector<std::string> inputs = options.inputs;
  inputs.insert(inputs.end(), {options.file, options.inputFile, options.parameters});
  if (!options.outputDirectory.empty())
    for (const std::string &path : npyPaths(options, results))
      paths.push_back(path);
  for (const std::string &path : paths)
    if (!path.empty() && !support::probeOutput(path, error, inputs)) {
      error = "error: " + error;
      return false;
    }
  return true;
}

bool tt::run::writeResults(const Options &options, std::vector<Result> results,
                           std::string &error) {
  std::vector<support::SafetensorsInput> tensors;
  std::vector<Encoded> kept(results.size());
  std::vector<std::string> names;
  for (const Result &result : results)
    names.push_back(result.name);
  std::vector<std::string> paths = npyPaths(options, names);
  names = namesApart(std::move(names));
  for (size_t i = 0; i < results.size(); ++i) {
    const Result &result = results[i];
    if (!options.outputDirectory.empty() &&
        !writeNpy(paths[i], result.value, result.dtype, error))
      return false;
    kept[i] = encode(result.value, result.dtype);
    tensors.push_back({names[i], result.dtype, kept[i].shape, kept[i].bytes.data()});
  }
  return options.outputFile.empty() ||
         support::writeSafetensorsFile(options.outputFile, tensors, {}, error);
}
