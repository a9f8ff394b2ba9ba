// What the JSON parser and its strings share.
#ifndef TT_RUNTIME_JSONBYTES_H
#define TT_RUNTIME_JSONBYTES_H

#include "tt/runtime/Json.h"

namespace tt::runtime {

/// The length of the UTF-8 sequence at `bytes` (size > 0), 0 if it is invalid.
size_t utf8Length(const char *bytes, size_t size);

/// The value of a hexadecimal digit, -1 if it is none.
int hexValue(char c);

} // namespace tt::runtime
#endif
