//===- Error.cpp - The thread's last error text ---------------------------===//

#include "Error.h"

#include <stdarg.h>
#include <stdio.h>

using namespace tt::runtime;

namespace {
// Dynamic TLS on purpose: the static TLS block has no room to spare for a
// buffer of every model library that a process opens.
thread_local char lastError[640];
} // namespace

tt_status tt::runtime::fail(tt_status status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(lastError, sizeof(lastError), format, arguments);
  va_end(arguments);
  return status;
}

void tt::runtime::touchErrorText() {
  *static_cast<volatile char *>(lastError) = lastError[0];
}

extern "C" const char *tt_last_error(void) { return lastError; }
