// The caller's buffer for an error text. Part of the model library: libc only.
#ifndef TT_RUNTIME_ERRORTEXT_H
#define TT_RUNTIME_ERRORTEXT_H

#include <stddef.h>
#include <sys/types.h>

namespace tt::runtime {

/// Where a failing function leaves its text: always NUL-terminated, cut at
/// `size`. {nullptr, 0}: no text is wanted.
struct ErrorText {
  char *data = nullptr;
  size_t size = 0;

  /// Formats a text; always returns false, so that `return error.fail(...)`.
  bool fail(const char *format, ...) const
      __attribute__((format(printf, 2, 3)));

  /// Puts a text in front of the one that is there; always returns false.
  bool prefix(const char *format, ...) const
      __attribute__((format(printf, 2, 3)));
};

/// A short printable form of bytes from a file, for use in an error text:
/// printable ASCII stays, other bytes become \xNN, long text ends in "...".
struct PrintableText {
  char text[96];
  PrintableText(const char *bytes, size_t size);
};

/// What a file of this mode is: "a directory", "a regular file", ...
const char *fileKind(mode_t mode);

/// The system's text for an errno value, without allocation.
struct ErrnoText {
  char text[96];
  explicit ErrnoText(int value);
};

} // namespace tt::runtime
#endif
