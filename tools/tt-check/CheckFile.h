// tt-check on one file.
#ifndef TT_TOOLS_TT_CHECK_CHECKFILE_H
#define TT_TOOLS_TT_CHECK_CHECKFILE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tt::check {

struct CommandLine {
  std::string file;
  std::string function;
  std::string wrt = "all";
  uint64_t seed = 1;
  int directions = 3;
  bool compiled = false;
  bool noGradients = false;
  std::vector<std::string> inputs; // .npy
  std::string inputFile;           // .safetensors
  // Of --bisect.
  bool bisect = false;
  std::string record, library;
  std::string output = "bisect"; // BASE of the minimal program
};

/// Prints a table and PASS or FAIL. Exit status.
int checkFile(const CommandLine &line);
/// Replays a record and says which op errs first. Exit status: 1 if one does.
int bisectFile(const CommandLine &line);

} // namespace tt::check

#endif
