// The inputs of a library's entry from the command line.
#ifndef TT_TOOLS_TT_RUN_LIBRARYINPUTS_H
#define TT_TOOLS_TT_RUN_LIBRARYINPUTS_H

#include "Options.h"

#include "tt/Check/LibraryRun.h"

namespace tt::run {

/// By name from --set and --inputs, the rest in order from --input, the rest
/// drawn if there is a seed.
bool readLibraryInputs(const Options &options, const check::LibraryRun &run,
                       uint32_t entry, std::vector<check::Encoded> &inputs,
                       std::string &error);

} // namespace tt::run

#endif
