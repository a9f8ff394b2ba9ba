//===- Philox.h - Counter-based random words --------------------*- C++ -*-===//
#ifndef TT_LIB_REFERENCE_PHILOX_H
#define TT_LIB_REFERENCE_PHILOX_H

#include <array>
#include <cmath>
#include <cstdint>

namespace tt::reference {

using Words = std::array<uint32_t, 4>;

/// Philox4x32-10 of Salmon et al., SC 2011; written again here on purpose.
inline Words philox(Words c, uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    if (round > 0) {
      key0 += 0x9E3779B9u;
      key1 += 0xBB67AE85u;
    }
    uint64_t product0 = uint64_t(0xD2511F53u) * c[0];
    uint64_t product1 = uint64_t(0xCD9E8D57u) * c[2];
    uint32_t high0 = product0 >> 32, high1 = product1 >> 32;
    c = {high1 ^ c[1] ^ key0, uint32_t(product1), high0 ^ c[3] ^ key1,
         uint32_t(product0)};
  }
  return c;
}

inline uint32_t low(int64_t value) { return uint32_t(uint64_t(value)); }
inline uint32_t high(int64_t value) { return uint32_t(uint64_t(value) >> 32); }

/// The mask of tt.dropout, and of attention's probabilities.
struct DropoutMask {
  uint32_t key0, key1;
  uint64_t site;
  double p;

  /// Element `e` of sample `n` is kept.
  bool keeps(int64_t n, int64_t e) const {
    Words words = philox({low(e / 4), low(n), low(int64_t(site)), 0x74740002u}, key0, key1);
    return words[e % 4] >= uint64_t(std::nearbyint(std::ldexp(p, 32)));
  }
};

} // namespace tt::reference

#endif
