//===- Checksum.cpp - A checksum of checkpoints ---------------------------===//

#include "Checksum.h"

#include <string.h>

using namespace tt::runtime;

namespace {

constexpr uint64_t kPrime3 = 0x165667B19E3779F9;
constexpr uint64_t kPrime4 = 0x85EBCA77C2B2AE63;
constexpr uint64_t kPrime5 = 0x27D4EB2F165667C5;

uint64_t rotate(uint64_t value, int bits) {
  return value << bits | value >> (64 - bits);
}

template <typename T> uint64_t load(const unsigned char *data) {
  T value;
  memcpy(&value, data, sizeof(value));
  return value;
}

} // namespace

void Checksum::addStripe(const unsigned char *stripe) {
  for (int i = 0; i < 4; ++i)
    lanes[i] = rotate(lanes[i] + load<uint64_t>(stripe + 8 * i) * kPrime2, 31) *
               kPrime1;
}

void Checksum::add(const void *data, uint64_t bytes) {
  const unsigned char *next = static_cast<const unsigned char *>(data);
  if (bytes == 0)
    return;
  total += bytes;
  if (restBytes != 0) {
    uint64_t fill = sizeof(rest) - restBytes;
    if (fill > bytes)
      fill = bytes;
    memcpy(rest + restBytes, next, fill);
    restBytes += fill;
    next += fill;
    bytes -= fill;
    if (restBytes < sizeof(rest))
      return;
    addStripe(rest);
    restBytes = 0;
  }
  for (; bytes >= sizeof(rest); bytes -= sizeof(rest), next += sizeof(rest))
    addStripe(next);
  if (bytes != 0)
    memcpy(rest, next, bytes);
  restBytes = bytes;
}

uint64_t Checksum::value() const {
  uint64_t hash = kPrime5;
  if (total >= sizeof(rest)) {
    hash = rotate(lanes[0], 1) + rotate(lanes[1], 7) + rotate(lanes[2], 12) +
           rotate(lanes[3], 18);
    for (uint64_t lane : lanes)
      hash = (hash ^ rotate(lane * kPrime2, 31) * kPrime1) * kPrime1 + kPrime4;
  }
  hash += total;
  uint32_t at = 0;
  for (; at + 8 <= restBytes; at += 8) {
    uint64_t lane = rotate(load<uint64_t>(rest + at) * kPrime2, 31) * kPrime1;
    hash = rotate(hash ^ lane, 27) * kPrime1 + kPrime4;
  }
  for (; at + 4 <= restBytes; at += 4)
    hash = rotate(hash ^ load<uint32_t>(rest + at) * kPrime1, 23) * kPrime2 +
           kPrime3;
  for (; at < restBytes; ++at)
    hash = rotate(hash ^ rest[at] * kPrime5, 11) * kPrime1;
  hash = (hash ^ hash >> 33) * kPrime2;
  hash = (hash ^ hash >> 29) * kPrime3;
  return hash ^ hash >> 32;
}
