// Error texts in the caller's buffer.
#include "tt/runtime/ErrorText.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

using namespace tt::runtime;

bool ErrorText::fail(const char *format, ...) const {
  if (!data || size == 0)
    return false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(data, size, format, arguments);
  va_end(arguments);
  return false;
}

bool ErrorText::prefix(const char *format, ...) const {
  if (!data || size == 0)
    return false;
  char front[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(front, sizeof front, format, arguments);
  va_end(arguments);
  size_t frontSize = strlen(front);
  if (frontSize > size - 1)
    frontSize = size - 1;
  size_t kept = strlen(data);
  if (kept > size - 1 - frontSize)
    kept = size - 1 - frontSize;
  memmove(data + frontSize, data, kept);
  memcpy(data, front, frontSize);
  data[frontSize + kept] = 0;
  return false;
}

const char *tt::runtime::fileKind(mode_t mode) {
  switch (mode & S_IFMT) {
  case S_IFREG:
    return "a regular file";
  case S_IFDIR:
    return "a directory";
  case S_IFLNK:
    return "a symbolic link";
  case S_IFIFO:
    return "a pipe";
  case S_IFSOCK:
    return "a socket";
  default:
    return "a device";
  }
}

PrintableText::PrintableText(const char *bytes, size_t size) {
  static const char digits[] = "0123456789abcdef";
  size_t used = 0;
  for (size_t i = 0; i < size; ++i) {
    unsigned char byte = static_cast<unsigned char>(bytes[i]);
    if (used + 4 + 4 > sizeof text) { // room for \xNN and "...", NUL
      memcpy(text + used, "...", 3);
      used += 3;
      break;
    }
    if (byte >= 0x20 && byte < 0x7f) {
      text[used++] = static_cast<char>(byte);
      continue;
    }
    text[used++] = '\\';
    text[used++] = 'x';
    text[used++] = digits[byte >> 4];
    text[used++] = digits[byte & 15];
  }
  text[used] = 0;
}

namespace {
// strerror_r comes in two kinds; both are accepted.
[[maybe_unused]] const char *pick(const char *result, const char *) { return result; }
[[maybe_unused]] const char *pick(int result, const char *buffer) {
  return result == 0 ? buffer : "unknown error";
}
} // namespace

ErrnoText::ErrnoText(int value) {
  char buffer[80] = "";
  const char *words = pick(strerror_r(value, buffer, sizeof buffer), buffer);
  snprintf(text, sizeof text, "%.70s (errno %d)", words, value);
}
