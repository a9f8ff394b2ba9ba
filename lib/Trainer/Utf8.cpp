#include "tt/Trainer/Utf8.h"

#include <cstdint>

using namespace tt::trainer;

bool tt::trainer::nextCodePoint(std::string_view text, size_t &at,
                                char32_t &codePoint) {
  auto byte = [&](size_t i) { return static_cast<uint8_t>(text[at + i]); };
  if (at >= text.size())
    return false;
  uint8_t first = byte(0);
  if (first < 0x80) {
    codePoint = first;
    ++at;
    return true;
  }
  size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() - at < length)
    return false;
  char32_t value = first & (0xFF >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80)
      return false;
    value = value << 6 | (byte(i) & 0x3F);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kLeast[length] || !isCodePoint(value))
    return false;
  codePoint = value;
  at += length;
  return true;
}

void tt::trainer::appendUtf8(char32_t codePoint, std::string &text) {
  auto tail = [&](int shift) {
    text += static_cast<char>(0x80 | (codePoint >> shift & 0x3F));
  };
  if (codePoint < 0x80) {
    text += static_cast<char>(codePoint);
  } else if (codePoint < 0x800) {
    text += static_cast<char>(0xC0 | codePoint >> 6);
    tail(0);
  } else if (codePoint < 0x10000) {
    text += static_cast<char>(0xE0 | codePoint >> 12);
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0 | codePoint >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}
