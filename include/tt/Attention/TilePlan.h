//===- TilePlan.h - Which score tiles an attention visits -------*- C++ -*-===//
//
// Scores are cut into tiles of blockQ queries by blockK keys. The plan says
// which tiles hold a visible score, from the mask alone. The bounds are kept
// as formulas in the block index: a plan evaluates them, an emitter emits them,
// so both mean the same tiles. Plain C++, no MLIR.
//
//===----------------------------------------------------------------------===//
#ifndef TT_ATTENTION_TILEPLAN_H
#define TT_ATTENTION_TILEPLAN_H

#include <cstdint>

namespace tt::attention {

/// Full: the tile has all blockK keys and each of its queries sees all of them.
/// Partial: some key is missing or masked. Skipped: no query sees a key.
enum class TileClass { Skipped, Partial, Full };

/// A bound on block indices as a function of a block index i:
/// min(max(scale * i + offset, 0) / divisor, high). Everything is an integer;
/// divisor > 0, high >= 0.
struct BlockBound {
  int64_t scale = 0, offset = 0, divisor = 1, high = 0;

  int64_t at(int64_t index) const;
};

/// Blocks [begin, end).
struct BlockRange {
  int64_t begin = 0, end = 0;

  int64_t size() const { return end > begin ? end - begin : 0; }
};

/// The mask and the tiling. Causal is aligned bottom-right: query i sees the
/// keys j <= i + keys - queries, so the last query sees all.
struct TilePlan {
  int64_t queries = 0, keys = 0;
  bool causal = false;
  int64_t blockQ = 1, blockK = 1;

  int64_t numQueryBlocks() const { return (queries + blockQ - 1) / blockQ; }
  int64_t numKeyBlocks() const { return (keys + blockK - 1) / blockK; }

  /// Query i sees the keys j with j <= i + diagonal().
  int64_t diagonal() const { return keys - queries; }

  /// For query block i: its key blocks are [keyBegin, keyEnd), of which those
  /// below fullEnd are Full.
  BlockBound keyBegin() const;
  BlockBound keyEnd() const;
  BlockBound fullEnd() const;

  /// For key block j: its query blocks are [queryBegin, queryEnd).
  BlockBound queryBegin() const;
  BlockBound queryEnd() const;

  BlockRange keyBlocks(int64_t queryBlock) const;
  BlockRange queryBlocks(int64_t keyBlock) const;
  TileClass classify(int64_t queryBlock, int64_t keyBlock) const;

  int64_t countVisited() const;
  int64_t countFull() const;
};

} // namespace tt::attention

#endif // TT_ATTENTION_TILEPLAN_H
