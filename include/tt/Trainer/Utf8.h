// UTF-8, one code point at a time.
#ifndef TT_TRAINER_UTF8_H
#define TT_TRAINER_UTF8_H

#include <cstddef>
#include <string>
#include <string_view>

namespace tt::trainer {

/// Reads the code point at `at` and moves `at` behind it. False, and `at`
/// stays, if the bytes there are not UTF-8 (overlong forms, surrogates and
/// values past U+10FFFF are not).
bool nextCodePoint(std::string_view text, size_t &at, char32_t &codePoint);

void appendUtf8(char32_t codePoint, std::string &text);

/// Whether `codePoint` can be written in UTF-8.
constexpr bool isCodePoint(char32_t codePoint) {
  return codePoint < 0xD800 || (codePoint > 0xDFFF && codePoint <= 0x10FFFF);
}

} // namespace tt::trainer
#endif
