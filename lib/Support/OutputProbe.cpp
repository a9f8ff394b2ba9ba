//===- OutputProbe.cpp - Whether a file can be made -----------------------===//
#include "tt/Support/OutputProbe.h"

#include "tt/runtime/AtomicFile.h"

bool tt::support::probeOutput(const std::string &path, std::string &error) {
  char problem[512] = {};
  runtime::AtomicFile file;
  if (file.open(path.c_str(), {problem, sizeof problem}))
    return true; // its destructor takes the temporary away
  error = problem;
  return false;
}
