//===- OutputProbe.h - Whether a file can be made ---------------*- C++ -*-===//
#ifndef TT_SUPPORT_OUTPUTPROBE_H
#define TT_SUPPORT_OUTPUTPROBE_H

#include <string>

namespace tt::support {

/// Whether runtime::AtomicFile could put a file at `path`, asked before the work
/// whose result goes there. False with the text that writing would end with; the
/// file that is there stays as it was.
bool probeOutput(const std::string &path, std::string &error);

} // namespace tt::support

#endif
