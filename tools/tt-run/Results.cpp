// What tt-run prints and writes.
#include "Results.h"

#include "tt/Support/Escape.h"
#include "tt/Support/SafetensorsFile.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

using namespace tt;
using namespace tt::check;

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
  fmt::print("{} {}[{}]", safe(result.name), value.isFloat() ? "float" : "int",
             fmt::join(value.shape(), ", "));
  if (count > kPrinted) {
    fmt::print(": {} elements, not printed\n", count);
    return;
  }
  fmt::print(" =");
  for (size_t i = 0; i < count; ++i) {
    if (!value.isFloat())
      fmt::print(" {}", value.ints().data[i]);
    else if (isDouble)
      fmt::print(" {}", value.floats().data[i]);
    else
      fmt::print(" {}", float(value.floats().data[i]));
  }
  fmt::print("\n");
}

bool tt::run::writeResults(const Options &options, std::vector<Result> results,
                           std::string &error) {
  std::vector<support::SafetensorsInput> tensors;
  std::vector<Encoded> kept(results.size());
  std::set<std::string> names;
  for (size_t i = 0; i < results.size(); ++i) {
    const Result &result = results[i];
    std::string name = result.name;
    if (!names.insert(name).second)
      name += ".result" + std::to_string(i);
    if (!options.outputDirectory.empty()) {
      std::string leaf = name;
      std::replace(leaf.begin(), leaf.end(), '/', '_');
      if (!writeNpy(options.outputDirectory + "/" + leaf + ".npy", result.value,
                    result.dtype, error))
        return false;
    }
    kept[i] = encode(result.value, result.dtype);
    tensors.push_back({name, result.dtype, kept[i].shape, kept[i].bytes.data()});
  }
  return options.outputFile.empty() ||
         support::writeSafetensorsFile(options.outputFile, tensors, {}, error);
}
