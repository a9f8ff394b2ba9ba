//===- ChainPlan.h - Where a chain of layers is cut -------------*- C++ -*-===//
//
// Numbers only: what a chain costs, and the cuts that are chosen for it.
//
//===----------------------------------------------------------------------===//
#ifndef TT_REMAT_CHAINPLAN_H
#define TT_REMAT_CHAINPLAN_H

#include <cstdint>
#include <string>
#include <vector>

namespace tt {

struct ChainLayer {
  int64_t boundary = 0; // bytes that enter it from earlier layers
  int64_t tape = 0;     // bytes of its residuals, its output included
  int64_t gradient = 0; // bytes its adjoint leaves until the end of the step
  /// False if its only residuals are its results, which the next segment keeps:
  /// at the end of a segment it need not run again.
  bool rerunAtEnd = true;
};

struct LayerChain {
  std::vector<ChainLayer> layers;
  int64_t tail = 0; // bytes of residuals after the chain, alive with the last segment
};

/// First layer of each segment, from 0 on. The last segment is not replayed.
struct ChainPlan {
  std::vector<unsigned> starts;
};

ChainPlan planNone();
/// Every layer is a segment.
ChainPlan planFull(const LayerChain &chain);
/// `count` segments of about equal bytes; 1 <= count <= layers.
ChainPlan planSegments(const LayerChain &chain, unsigned count);
/// The least peak of all plans with one level of segments, and of those the one
/// with the longest last segment. About sqrt(2 n x / B) segments for n equal layers.
ChainPlan planLeastPeak(const LayerChain &chain);

/// Most bytes that are alive while one segment is reversed: the boundaries kept
/// up to it, its tape, and the gradients of the segments behind it.
int64_t peakBytes(const LayerChain &chain, const ChainPlan &plan);
/// Layers that run a second time.
unsigned countReplayed(const LayerChain &chain, const ChainPlan &plan);
/// "[0..3] [4..7] kept [8..9], peak 120 bytes, 7 replayed"
std::string describe(const LayerChain &chain, const ChainPlan &plan);

} // namespace tt

#endif
