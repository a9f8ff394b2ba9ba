// tt-check on one file.
#ifndef TT_TOOLS_TT_CHECK_CHECKFILE_H
#define TT_TOOLS_TT_CHECK_CHECKFILE_H

#include <cstdint>
#include <string>

namespace tt::check {

struct Options {
  std::string file;
  std::string function;
  std::string wrt = "all";
  uint64_t seed = 1;
  int directions = 3;
};

/// Prints the table and PASS or FAIL. Exit status.
int checkFile(const Options &options);

} // namespace tt::check

#endif
