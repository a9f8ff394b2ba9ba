// Strings of JSON texts: UTF-8 and escapes.
#include "JsonBytes.h"

#include <string.h>

using namespace tt::runtime;

size_t tt::runtime::utf8Length(const char *bytes, size_t size) {
  auto byteAt = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  auto isTail = [&](size_t i) { return (byteAt(i) & 0xc0) == 0x80; };
  unsigned char lead = byteAt(0);
  if (lead < 0x80)
    return 1;
  size_t length = lead < 0xc2   ? 0 // a tail byte, or overlong
                  : lead < 0xe0 ? 2
                  : lead < 0xf0 ? 3
                  : lead < 0xf5 ? 4
                                : 0;
  if (length == 0 || size < length)
    return 0;
  for (size_t i = 1; i < length; ++i)
    if (!isTail(i))
      return 0;
  if (lead == 0xe0 && byteAt(1) < 0xa0) // overlong
    return 0;
  if (lead == 0xed && byteAt(1) >= 0xa0) // surrogate
    return 0;
  if (lead == 0xf0 && byteAt(1) < 0x90) // overlong
    return 0;
  if (lead == 0xf4 && byteAt(1) >= 0x90) // past U+10FFFF
    return 0;
  return length;
}

bool tt::runtime::isValidUtf8(const char *bytes, size_t size) {
  for (size_t at = 0; at < size;) {
    size_t length = utf8Length(bytes + at, size - at);
    if (length == 0)
      return false;
    at += length;
  }
  return true;
}

int tt::runtime::hexValue(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

namespace {
/// Walks over the decoded bytes of an accepted string, up to `end` or the
/// closing quote. Escapes were checked, so that they need no checks here.
struct DecodedBytes {
  const char *at;
  const char *end;
  unsigned char pending[4] = {};
  unsigned numPending = 0;

  DecodedBytes(const char *at, const char *end) : at(at), end(end) {}

  bool isPlainWord(uint64_t &word) const;
  int next(); // -1 at the end

private:
  uint32_t readUnit();
  int decodeEscape();
};
} // namespace

/// True if the next 8 bytes are themselves: no escape, no end. `word`: them.
bool DecodedBytes::isPlainWord(uint64_t &word) const {
  if (numPending != 0 || end - at < 8)
    return false;
  memcpy(&word, at, 8);
  constexpr uint64_t ones = 0x0101010101010101ull, tops = ones << 7;
  auto hasZero = [](uint64_t v) { return ((v - ones) & ~v & tops) != 0; };
  return !hasZero(word ^ (ones * '"')) && !hasZero(word ^ (ones * '\\'));
}

uint32_t DecodedBytes::readUnit() {
  uint32_t unit = 0;
  for (int i = 0; i < 4; ++i)
    unit = (unit << 4) | static_cast<uint32_t>(hexValue(at[i]));
  at += 4;
  return unit;
}

int DecodedBytes::decodeEscape() {
  switch (char c = *at++) {
  case 'b':
    return '\b';
  case 'f':
    return '\f';
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 't':
    return '\t';
  case 'u':
    break;
  default: // quote, slash, backslash
    return c;
  }
  uint32_t point = readUnit();
  if (point >= 0xd800 && point < 0xdc00) {
    at += 2; // the second half's \u
    uint32_t low = readUnit();
    point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
  }
  if (point < 0x80)
    return static_cast<int>(point);
  unsigned tails = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  numPending = tails;
  for (unsigned i = 0; i < tails; ++i) { // last tail byte first
    pending[i] = static_cast<unsigned char>(0x80 | (point & 0x3f));
    point >>= 6;
  }
  static const unsigned char leads[] = {0, 0xc0, 0xe0, 0xf0};
  return static_cast<int>(leads[tails] | point);
}

int DecodedBytes::next() {
  if (numPending != 0)
    return pending[--numPending];
  if (at == end || *at == '"')
    return -1;
  if (*at != '\\')
    return static_cast<unsigned char>(*at++);
  ++at;
  return decodeEscape();
}

static int compareDecoded(DecodedBytes lhs, DecodedBytes rhs) {
  for (;;) {
    uint64_t left, right;
    while (lhs.isPlainWord(left) && rhs.isPlainWord(right) && left == right) {
      lhs.at += 8;
      rhs.at += 8;
    }
    int l = lhs.next(), r = rhs.next();
    if (l != r)
      return l < r ? -1 : 1;
    if (l < 0)
      return 0;
  }
}

int tt::runtime::jsonCompare(JsonText lhs, JsonText rhs) {
  return compareDecoded({lhs.data, lhs.data + lhs.size},
                        {rhs.data, rhs.data + rhs.size});
}

int tt::runtime::jsonComparePlain(JsonText lhs, const char *plain,
                                  size_t plainSize) {
  DecodedBytes left(lhs.data, lhs.data + lhs.size);
  for (size_t i = 0; i < plainSize; ++i) {
    int l = left.next(), r = static_cast<unsigned char>(plain[i]);
    if (l != r)
      return l < r ? -1 : 1;
  }
  return left.next() < 0 ? 0 : 1;
}

bool tt::runtime::jsonEquals(JsonText text, const char *plain) {
  return jsonComparePlain(text, plain, strlen(plain)) == 0;
}

size_t tt::runtime::jsonDecode(JsonText text, char *out, size_t outSize) {
  DecodedBytes bytes(text.data, text.data + text.size);
  size_t count = 0;
  for (int byte; (byte = bytes.next()) >= 0; ++count)
    if (count < outSize)
      out[count] = static_cast<char>(byte);
  return count;
}
