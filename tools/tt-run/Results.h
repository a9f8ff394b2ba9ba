// What tt-run prints and writes.
#ifndef TT_TOOLS_TT_RUN_RESULTS_H
#define TT_TOOLS_TT_RUN_RESULTS_H

#include "Options.h"

#include "tt/Check/HostTensors.h"

namespace tt::run {

struct Result {
  std::string name;
  check::HostTensor value;
  runtime::SafetensorsDtype dtype; // in files
};

/// "tt-run: TEXT" on standard error; exit status 1.
int fail(const std::string &text);

/// Whether the files of results of these names, and --save and --record, can be made.
/// Asked before the call, so that one that cannot be kept is not made.
bool probeOutputs(const Options &options, const std::vector<std::string> &results,
                  std::string &error);

/// A line with the values, or their number if there are many.
void print(const Result &result, bool isDouble);

/// Into --output-dir and --outputs. Two results of one name get different ones.
bool writeResults(const Options &options, std::vector<Result> results, std::string &error);

} // namespace tt::run

#endif
