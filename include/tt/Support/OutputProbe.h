//===- OutputProbe.h - Whether a file can be made ---------------*- C++ -*-===//
#ifndef TT_SUPPORT_OUTPUTPROBE_H
#define TT_SUPPORT_OUTPUTPROBE_H

#include <string>
#include <vector>

namespace tt::support {

/// Whether runtime::AtomicFile could put a file at `path`, asked before the work
/// whose result goes there, and whether it would replace one of the files in `inputs`
/// (empty names are none), by whatever name. False with the text that writing would
/// end with; the file that is there stays as it was.
bool probeOutput(const std::string &path, std::string &error,
                 const std::vector<std::string> &inputs = {});

} // namespace tt::support

#endif
