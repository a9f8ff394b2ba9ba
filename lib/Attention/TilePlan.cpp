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

static int64_t ceilDiv(int64_t value, int64_t divisor) {
  return (std::max<int64_t>(value, 0) + divisor - 1) / divisor;
}

BlockBound TilePlan::keyBegin() const {
  if (!hasLeft())
    return constantBound(0);
  // The first key that the first query of block i sees.
  return {blockQ, diagonal() - windowLeft, blockK, numKeyBlocks()};
}

BlockBound TilePlan::keyEnd() const {
  if (!hasRight())
    return constantBound(numKeyBlocks());
  // The last query of block i sees the keys up to (i + 1) * blockQ - 1 +
  // diagonal + right; a block cut short by `queries` sees the keys below
  // `keys`, the clamp.
  return {blockQ, blockQ + diagonal() + right() + blockK - 1, blockK, numKeyBlocks()};
}

BlockBound TilePlan::fullBegin() const {
  if (!hasLeft())
    return constantBound(0);
  // The first key that the last query of block i sees; in a block cut short
  // that query is the last one, which is the clamp.
  return {blockQ, blockQ - 1 + diagonal() - windowLeft + blockK - 1, blockK,
          ceilDiv(keys - 1 - windowLeft, blockK)};
}

BlockBound TilePlan::fullEnd() const {
  int64_t wholeBlocks = keys / blockK;
  if (hidesAtRunTime)
    return constantBound(0);
  if (!hasRight())
    return constantBound(wholeBlocks);
  // The first query of block i sees the keys below i * blockQ + diagonal +
  // right + 1.
  return {blockQ, diagonal() + right() + 1, blockK, wholeBlocks};
}

BlockBound TilePlan::queryBegin() const {
  if (!hasRight())
    return constantBound(0);
  // The first query that sees the first key of block j is j * blockK -
  // diagonal - right.
  return {blockK, -diagonal() - right(), blockQ, numQueryBlocks()};
}

BlockBound TilePlan::queryEnd() const {
  if (!hasLeft())
    return constantBound(numQueryBlocks());
  // The last query that sees the last key of block j is (j + 1) * blockK - 1 +
  // windowLeft - diagonal; a block cut short is seen by the last query.
  return {blockK, blockK + windowLeft - diagonal() + blockQ - 1, blockQ,
          numQueryBlocks()};
}

BlockRange TilePlan::keyBlocks(int64_t queryBlock) const {
  return {std::max(keyBegin().at(queryBlock), prefixEnd()), keyEnd().at(queryBlock)};
}

BlockRange TilePlan::queryBlocks(int64_t keyBlock) const {
  if (keyBlock < prefixEnd())
    return {0, numQueryBlocks()};
  return {queryBegin().at(keyBlock), queryEnd().at(keyBlock)};
}

TileClass TilePlan::classify(int64_t queryBlock, int64_t keyBlock) const {
  if (keyBlock < prefixFull())
    return TileClass::Full;
  BlockRange range = {keyBegin().at(queryBlock), keyEnd().at(queryBlock)};
  if (keyBlock < range.begin || keyBlock >= range.end)
    return keyBlock < prefixEnd() ? TileClass::Partial : TileClass::Skipped;
  bool full = keyBlock >= fullBegin().at(queryBlock) &&
              keyBlock < fullEnd().at(queryBlock);
  return full ? TileClass::Full : TileClass::Partial;
}

int64_t TilePlan::sum(const std::function<int64_t(int64_t, int64_t)> &term) const {
  int64_t total = 0;
  for (int64_t i = 0, e = numQueryBlocks(); i < e; ++i)
    for (int64_t j = 0, f = numKeyBlocks(); j < f; ++j)
      total += term(i, j);
  return total;
}

int64_t TilePlan::countVisited() const {
  return sum([&](int64_t i, int64_t j) {
    return classify(i, j) != TileClass::Skipped;
  });
}

int64_t TilePlan::countFull() const {
  return sum([&](int64_t i, int64_t j) {
    return classify(i, j) == TileClass::Full;
  });
}

int64_t TilePlan::countVisitedScores() const {
  return sum([&](int64_t i, int64_t j) -> int64_t {
    if (classify(i, j) == TileClass::Skipped)
      return 0;
    return std::min(blockQ, queries - i * blockQ) * std::min(blockK, keys - j * blockK);
  });
}

int64_t TilePlan::countVisited(const std::vector<int64_t> &qSegments,
                               const std::vector<int64_t> &kSegments) const {
  auto rangeOf = [](const std::vector<int64_t> &segments, int64_t block, int64_t size) {
    auto begin = segments.begin() + block * size;
    auto end = segments.begin() +
               std::min<int64_t>((block + 1) * size, int64_t(segments.size()));
    return std::minmax_element(begin, end);
  };
  return sum([&](int64_t i, int64_t j) {
    if (classify(i, j) == TileClass::Skipped)
      return false;
    auto [qLow, qHigh] = rangeOf(qSegments, i, blockQ);
    auto [kLow, kHigh] = rangeOf(kSegments, j, blockK);
    return *qLow <= *kHigh && *kLow <= *qHigh;
  });
}
