//===- ArenaPacker.cpp - Dynamic storage allocation, offline --------------===//
#include "tt/Memory/ArenaPacker.h"

#include <algorithm>
#include <numeric>

using namespace tt;

namespace {
/// One greedy packing: blocks in a given order, each at the best or the first
/// gap between the placed blocks that overlap it in time.
int64_t packInOrder(std::vector<ArenaBlock> &blocks, const std::vector<size_t> &order,
                    bool bestFit, int64_t alignment) {
  std::vector<size_t> placed; // sorted by offset
  int64_t height = 0;
  for (size_t i : order) {
    ArenaBlock &block = blocks[i];
    int64_t size = roundUp(block.size, alignment);
    int64_t cursor = 0, bestOffset = -1, bestGap = 0;
    for (size_t j : placed) {
      const ArenaBlock &other = blocks[j];
      if (other.end < block.begin || other.begin > block.end)
        continue;
      int64_t gap = other.offset - cursor;
      if (gap >= size && (bestOffset < 0 || gap < bestGap)) {
        bestOffset = cursor;
        bestGap = gap;
        if (!bestFit)
          break;
      }
      cursor = std::max(cursor, other.offset + roundUp(other.size, alignment));
    }
    block.offset = bestOffset >= 0 ? bestOffset : cursor;
    height = std::max(height, block.offset + block.size);
    auto at = std::upper_bound(placed.begin(), placed.end(), block.offset,
                               [&](int64_t offset, size_t j) {
                                 return offset < blocks[j].offset;
                               });
    placed.insert(at, i);
  }
  return height;
}
} // namespace

int64_t tt::packArena(std::vector<ArenaBlock> &blocks, int64_t alignment) {
  // Keys to sort by, largest first; ties by size, then by number.
  auto key = [&](int variant, size_t i) -> double {
    const ArenaBlock &b = blocks[i];
    double span = double(b.end - b.begin + 1);
    switch (variant) {
    case 0:
      return double(b.size);
    case 1:
      return span;
    case 2:
      return double(b.size) * span;
    default:
      return -double(b.begin);
    }
  };
  int64_t best = -1;
  std::vector<int64_t> bestOffsets(blocks.size());
  int64_t bound = maxLive(blocks, alignment);
  for (int variant = 0; variant < 8 && (best < 0 || best > bound); ++variant) {
    std::vector<size_t> order(blocks.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      double ka = key(variant % 4, a), kb = key(variant % 4, b);
      if (ka != kb)
        return ka > kb;
      return blocks[a].size != blocks[b].size ? blocks[a].size > blocks[b].size : a < b;
    });
    int64_t height = packInOrder(blocks, order, variant < 4, alignment);
    if (best >= 0 && height >= best)
      continue;
    best = height;
    for (size_t i = 0; i < blocks.size(); ++i)
      bestOffsets[i] = blocks[i].offset;
  }
  for (size_t i = 0; i < blocks.size(); ++i)
    blocks[i].offset = bestOffsets[i];
  return std::max<int64_t>(best, 0);
}

int64_t tt::maxLive(const std::vector<ArenaBlock> &blocks, int64_t alignment) {
  std::vector<std::pair<int64_t, int64_t>> events; // time, change
  for (const ArenaBlock &block : blocks) {
    events.push_back({block.begin, roundUp(block.size, alignment)});
    events.push_back({block.end + 1, -roundUp(block.size, alignment)});
  }
  std::sort(events.begin(), events.end()); // frees come before allocations
  int64_t live = 0, most = 0;
  for (auto [time, change] : events) {
    live += change;
    most = std::max(most, live);
  }
  return most;
}

std::string tt::verifyArena(const std::vector<ArenaBlock> &blocks, int64_t height,
                            int64_t alignment) {
  std::vector<size_t> byBegin(blocks.size());
  std::iota(byBegin.begin(), byBegin.end(), size_t(0));
  std::sort(byBegin.begin(), byBegin.end(), [&](size_t a, size_t b) {
    return blocks[a].begin < blocks[b].begin;
  });
  std::vector<size_t> alive;
  for (size_t i : byBegin) {
    const ArenaBlock &block = blocks[i];
    if (block.offset < 0 || block.offset % alignment ||
        block.offset + block.size > height)
      return "block " + std::to_string(i) + " lies outside the arena or is misaligned";
    alive.erase(std::remove_if(alive.begin(), alive.end(),
                               [&](size_t j) { return blocks[j].end < block.begin; }),
                alive.end());
    for (size_t j : alive)
      if (block.offset < blocks[j].offset + blocks[j].size &&
          blocks[j].offset < block.offset + block.size)
        return "blocks " + std::to_string(i) + " and " + std::to_string(j) +
               " overlap while both are alive";
    alive.push_back(i);
  }
  return "";
}
