//===- OutputProbe.cpp - Whether a file can be made -----------------------===//
#include "tt/Support/OutputProbe.h"

#include "tt/runtime/AtomicFile.h"

#include <filesystem>

bool tt::support::probeOutput(const std::string &path, std::string &error,
                              const std::vector<std::string> &inputs) {
  for (const std::string &input : inputs) {
    std::error_code none; // a file that is not there is no input
    if (!input.empty() && std::filesystem::equivalent(path, input, none)) {
      error = path + ": found a file that is read as well, wanted another name for the output";
      return false;
    }
  }
  char problem[512] = {};
  runtime::AtomicFile file;
  if (file.open(path.c_str(), {problem, sizeof problem}))
    return true; // its destructor takes the temporary away
  error = problem;
  return false;
}
