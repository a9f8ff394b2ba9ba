//===- LibraryChecksum.h - The checksum behind a library --------*- C++ -*-===//
//
// tt-compile puts 16 bytes behind the last part of a library: a mark, and the
// CRC-64 of all bytes before the mark, little-endian. The loader does not look
// there, and tools that write the file anew (strip) leave it away.
//
//===----------------------------------------------------------------------===//
#ifndef TT_RUNTIME_LIBRARYCHECKSUM_H
#define TT_RUNTIME_LIBRARYCHECKSUM_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tt::runtime {

/// CRC-64 as in xz. Finds every change of 64 neighbouring bits or fewer.
class Crc64 {
public:
  void add(const void *data, size_t bytes) {
    const unsigned char *next = static_cast<const unsigned char *>(data);
    for (size_t i = 0; i < bytes; ++i)
      state = table[(state ^ next[i]) & 0xff] ^ state >> 8;
  }
  uint64_t value() const { return ~state; }

private:
  static constexpr std::array<uint64_t, 256> makeTable() {
    std::array<uint64_t, 256> made = {};
    for (unsigned byte = 0; byte < 256; ++byte) {
      uint64_t rest = byte;
      for (int bit = 0; bit < 8; ++bit)
        rest = rest >> 1 ^ (rest & 1 ? 0xC96C5795D7870F42 : 0);
      made[byte] = rest;
    }
    return made;
  }
  static const std::array<uint64_t, 256> table;

  uint64_t state = ~uint64_t(0);
};

inline constexpr std::array<uint64_t, 256> Crc64::table = Crc64::makeTable();

struct LibraryTrailer {
  char mark[8];
  uint64_t checksum;

  /// Of all the bytes before it.
  static LibraryTrailer of(const void *data, size_t bytes) {
    Crc64 crc;
    crc.add(data, bytes);
    return {{'t', 't', '-', 'c', 'r', 'c', '6', '4'}, crc.value()};
  }
  bool hasMark() const { return memcmp(mark, of(nullptr, 0).mark, sizeof(mark)) == 0; }
};
static_assert(sizeof(LibraryTrailer) == 16);

} // namespace tt::runtime

#endif
