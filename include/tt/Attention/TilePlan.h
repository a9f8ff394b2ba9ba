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
#include <functional>
#include <vector>

namespace tt::attention {

/// Full: the tile has all blockK keys and each of its queries sees all of them.
/// Partial: some key is missing or may be hidden. Skipped: no query sees a key.
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

/// No limit to a window's side.
inline constexpr int64_t kNoWindow = -1;

/// The part of the mask that is known when compiling, and the tiling. Query i
/// stands at key last = i + keys - queries, so the last query stands at the last
/// key. It sees the keys j with last - windowLeft <= j <= last + windowRight, of
/// which causal is windowRight = 0, and those below `prefix`. Segments hide more
/// at run time.
struct TilePlan {
  int64_t queries = 0, keys = 0;
  bool causal = false;
  int64_t blockQ = 1, blockK = 1;
  int64_t windowLeft = kNoWindow, windowRight = kNoWindow, prefix = 0;
  /// Values that are known at run time hide more: no tile is Full.
  bool hidesAtRunTime = false;

  int64_t numQueryBlocks() const { return (queries + blockQ - 1) / blockQ; }
  int64_t numKeyBlocks() const { return (keys + blockK - 1) / blockK; }

  /// Query i stands at key i + diagonal().
  int64_t diagonal() const { return keys - queries; }
  bool hasRight() const { return causal || windowRight != kNoWindow; }
  bool hasLeft() const { return windowLeft != kNoWindow; }
  /// Only later keys are hidden: rows of a tile are seen from one query on.
  bool hidesOnlyRight() const { return !hasLeft() && prefix == 0; }
  int64_t right() const { return causal ? 0 : windowRight; }

  /// For query block i: key blocks [0, prefixEnd), of which those below
  /// prefixFull are Full, and [keyBegin, keyEnd), of which those in [fullBegin,
  /// fullEnd) are Full. The second range may begin inside the first.
  int64_t prefixEnd() const { return (prefix + blockK - 1) / blockK; }
  int64_t prefixFull() const { return hidesAtRunTime ? 0 : prefix / blockK; }
  BlockBound keyBegin() const;
  BlockBound keyEnd() const;
  BlockBound fullBegin() const;
  BlockBound fullEnd() const;

  /// For key block j that is not the prefix's: its query blocks are
  /// [queryBegin, queryEnd). All queries see the prefix.
  BlockBound queryBegin() const;
  BlockBound queryEnd() const;

  /// The blocks after the prefix's.
  BlockRange keyBlocks(int64_t queryBlock) const;
  BlockRange queryBlocks(int64_t keyBlock) const;
  TileClass classify(int64_t queryBlock, int64_t keyBlock) const;

  int64_t countVisited() const;
  int64_t countFull() const;
  /// Scores in the visited tiles, seen or not; at most queries * keys.
  int64_t countVisitedScores() const;
  /// With segments: a tile is visited if the ranges of its queries' and its
  /// keys' segments meet, too. Of one sample.
  int64_t countVisited(const std::vector<int64_t> &qSegments,
                       const std::vector<int64_t> &kSegments) const;

private:
  int64_t sum(const std::function<int64_t(int64_t, int64_t)> &term) const;
};

} // namespace tt::attention

#endif // TT_ATTENTION_TILEPLAN_H
