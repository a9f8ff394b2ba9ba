//===- StandardOutput.h - Results that a pipe or a disk may refuse -*- C++ -*-===//
#ifndef TT_SUPPORT_STANDARDOUTPUT_H
#define TT_SUPPORT_STANDARDOUTPUT_H

#include <string>

namespace tt::support {

/// Writes to standard output. What cannot be written is noticed by finishOutput.
void printOut(const std::string &text);

/// The exit status of `tool`: `status`, or 1 with a line on standard error if
/// standard output did not take all that was written to it.
int finishOutput(const char *tool, int status);

} // namespace tt::support

#endif
