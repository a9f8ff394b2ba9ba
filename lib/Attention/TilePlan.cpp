//===- TilePlan.cpp - Which score tiles an attention visits ---------------===//
#include "tt/Attention/TilePlan.h"
#include <algorithm>

using namespace tt::attention;

int64_t BlockBound::at(int64_t index) const {
  int64_t numerator = std::max<int64_t>(scale * index + offset, 0);
  return std::min(numerator / divisor, high);
}

/// A bound that does not depend on the block.
static BlockBound constantBound(int64_t value) { return {0, value, 1, value}; }

BlockBound TilePlan::keyBegin() const { return constantBound(0); }

BlockBound TilePlan::keyEnd() const {
  if (!causal)
    return constantBound(numKeyBlocks());
  // The last query of block i sees the keys below (i + 1) * blockQ + diagonal;
  // a block cut short by `queries` sees the keys below `keys`, the clamp.
  return {blockQ, blockQ + diagonal() + blockK - 1, blockK, numKeyBlocks()};
}

BlockBound TilePlan::fullEnd() const {
  int64_t wholeBlocks = keys / blockK;
  if (!causal)
    return constantBound(wholeBlocks);
  // The first query of block i sees the keys below i * blockQ + diagonal + 1.
  return {blockQ, diagonal() + 1, blockK, wholeBlocks};
}

BlockBound TilePlan::queryBegin() const {
  if (!causal)
    return constantBound(0);
  // The first query that sees the first key of block j is j * blockK -
  // diagonal.
  return {blockK, -diagonal(), blockQ, numQueryBlocks()};
}

BlockBound TilePlan::queryEnd() const {
  return constantBound(numQueryBlocks());
}

BlockRange TilePlan::keyBlocks(int64_t queryBlock) const {
  return {keyBegin().at(queryBlock), keyEnd().at(queryBlock)};
}

BlockRange TilePlan::queryBlocks(int64_t keyBlock) const {
  return {queryBegin().at(keyBlock), queryEnd().at(keyBlock)};
}

TileClass TilePlan::classify(int64_t queryBlock, int64_t keyBlock) const {
  BlockRange range = keyBlocks(queryBlock);
  if (keyBlock < range.begin || keyBlock >= range.end)
    return TileClass::Skipped;
  return keyBlock < fullEnd().at(queryBlock) ? TileClass::Full
                                             : TileClass::Partial;
}

int64_t TilePlan::countVisited() const {
  int64_t count = 0;
  for (int64_t i = 0, e = numQueryBlocks(); i < e; ++i)
    count += keyBlocks(i).size();
  return count;
}

int64_t TilePlan::countFull() const {
  int64_t count = 0;
  for (int64_t i = 0, e = numQueryBlocks(); i < e; ++i)
    count += std::min(fullEnd().at(i), keyEnd().at(i));
  return count;
}
