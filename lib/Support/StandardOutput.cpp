//===- StandardOutput.cpp - Results that a pipe or a disk may refuse ------===//
#include "tt/Support/StandardOutput.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

/// Of the first write that failed: the stream only keeps that one did.
static int firstError = 0;

static void note(bool isDone) {
  if (!isDone && !firstError)
    firstError = errno;
}

void tt::support::printOut(const std::string &text) {
  note(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

int tt::support::finishOutput(const char *tool, int status) {
  note(std::fflush(stdout) == 0);
  if (!std::ferror(stdout) && !firstError)
    return status;
  // Others than printOut write there, too, and keep no reason.
  std::fprintf(stderr, "%s: error: standard output: cannot write%s%s\n", tool,
               firstError ? ": " : "", firstError ? std::strerror(firstError) : "");
  return 1;
}
