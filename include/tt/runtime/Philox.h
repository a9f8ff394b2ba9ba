//===- Philox.h - Philox4x32-10 counter-based random numbers ----*- C++ -*-===//
//
// Ten rounds of Philox on four 32-bit words (Salmon et al., "Parallel random
// numbers: as easy as 1, 2, 3", SC 2011). Header only and free of the C++
// library, so that the runtime and tests of kernels can share it.
//
//===----------------------------------------------------------------------===//
#ifndef TT_RUNTIME_PHILOX_H
#define TT_RUNTIME_PHILOX_H

#include <stdint.h>

namespace tt::runtime {

struct PhiloxBlock {
  uint32_t word[4];
};

/// The 128 random bits that belong to `counter` under `key`.
inline PhiloxBlock philox4x32(PhiloxBlock counter, uint32_t key0,
                              uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    uint64_t product0 = uint64_t(0xD2511F53u) * counter.word[0];
    uint64_t product1 = uint64_t(0xCD9E8D57u) * counter.word[2];
    counter = {{uint32_t(product1 >> 32) ^ counter.word[1] ^ key0,
                uint32_t(product1),
                uint32_t(product0 >> 32) ^ counter.word[3] ^ key1,
                uint32_t(product0)}};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

} // namespace tt::runtime

#endif
