//===- ArenaPacker.h - Dynamic storage allocation, offline ------*- C++ -*-===//
//
// Plain C++: intervals of time with a size get offsets such that no two that
// overlap in time overlap in space. NP-hard; eight greedy orders are tried and
// the best kept (on training traces within about 1 % of the lower bound).
//
//===----------------------------------------------------------------------===//
#ifndef TT_MEMORY_ARENAPACKER_H
#define TT_MEMORY_ARENAPACKER_H

#include <cstdint>
#include <string>
#include <vector>

namespace tt {

/// The next multiple of `alignment`; sizes of buffers are at most 2^47.
inline int64_t roundUp(int64_t bytes, int64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

/// A block that is alive at the times begin..end, both included.
struct ArenaBlock {
  int64_t size = 0; // bytes
  int64_t begin = 0, end = 0;
  int64_t offset = 0; // set by packArena, a multiple of the alignment
};

/// Sets the offsets; returns the height of the arena in bytes: the end of the
/// highest block, to the byte.
int64_t packArena(std::vector<ArenaBlock> &blocks, int64_t alignment);

/// The most bytes alive at one time, each block rounded up: no plan is lower.
int64_t maxLive(const std::vector<ArenaBlock> &blocks, int64_t alignment);

/// Checks a plan by a sweep over time that shares no code with the packer. Empty
/// if it is right, else what is wrong.
std::string verifyArena(const std::vector<ArenaBlock> &blocks, int64_t height,
                        int64_t alignment);

} // namespace tt

#endif
