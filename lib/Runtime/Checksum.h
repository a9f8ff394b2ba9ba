//===- Checksum.h - A checksum of checkpoints -------------------*- C++ -*-===//
#ifndef TT_LIB_RUNTIME_CHECKSUM_H
#define TT_LIB_RUNTIME_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

namespace tt::runtime {

/// XXH64 with seed 0, fed in pieces of any size. Finds damage, not malice.
class Checksum {
public:
  void add(const void *data, uint64_t bytes);
  uint64_t value() const;

private:
  void addStripe(const unsigned char *stripe);

  static constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87;
  static constexpr uint64_t kPrime2 = 0xC2B2AE3D27D4EB4F;

  uint64_t lanes[4] = {kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1};
  unsigned char rest[32] = {};
  uint32_t restBytes = 0;
  uint64_t total = 0;
};

} // namespace tt::runtime

#endif
