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
  std::vector<std::string> inputs; // .npy, in the order of the arguments
  std::string inputFile;           // .safetensors, by name
  std::optional<uint64_t> randomSeed;
  std::string outputDirectory; // .npy
  std::string outputFile;      // .safetensors

  // Of the interpreter.
  bool reference = false;
  std::string function;
  std::string precision = "f64";
  std::string mode = "ideal";
  bool strict = false;

  // Of a library.
  std::string entry;
  std::string parameters; // .safetensors
  bool withState = false;
  std::optional<uint64_t> initSeed;
  std::vector<std::string> scalars; // NAME=VALUE
  uint32_t threads = 1;
  uint32_t level = 0; // 0: best
  int64_t timedRuns = 0;
  std::string saveFile;   // parameters and state after the call
  std::string recordFile; // the whole call, for tt-check --bisect
};

/// Interprets a function of a .mlir file. Exit status.
int runReference(const Options &options);
/// Calls an entry of a compiled library. Exit status.
int runLibrary(const Options &options);

} // namespace tt::run

#endif
