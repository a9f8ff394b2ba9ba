// What the command line of tt-run says.
#ifndef TT_TOOLS_TT_RUN_OPTIONS_H
#define TT_TOOLS_TT_RUN_OPTIONS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tt::run {

struct Options {
  std::string file; // .mlir, or a library
  bool reference = false;
  std::string function;
  std::string precision = "f64";
  std::string mode = "ideal";
  std::vector<std::string> inputs; // .npy, in the order of the arguments
  std::string inputFile;           // .safetensors, by name
  std::optional<uint64_t> randomSeed;
  std::string outputDirectory; // .npy
  std::string outputFile;      // .safetensors
  bool strict = false;
};

/// Interprets a function of a .mlir file. Exit status.
int runReference(const Options &options);

} // namespace tt::run

#endif
