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
  int64_t work = 0;     // bytes its adjoint needs besides its tape
  /// False if its only residuals are its results, which the next segment keeps:
  /// at the end of a segment it need not run again.
  bool rerunAtEnd = true;
};

struct LayerChain {
  std::vector<ChainLayer> layers;
  /// Most bytes alive with the last segment while what follows the chain runs
  /// and is reversed, and what of it stays until the end of the step.
  int64_t tail = 0, tailGradient = 0;
  int64_t floor = 0; // most bytes alive after the chain has been reversed
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
/// The least peak of all plans with one level of segments; of those, one that
/// replays few layers. Below the floor it saves nothing more.
ChainPlan planLeastPeak(const LayerChain &chain);

/// Most bytes that are alive at once: while a segment is reversed, the boundaries
/// kept up to it, its tape, and the gradients of what is behind it.
int64_t peakBytes(const LayerChain &chain, const ChainPlan &plan);
/// Layers that run a second time.
unsigned countReplayed(const LayerChain &chain, const ChainPlan &plan);
/// "[0..3] [4..7] kept [8..9], peak 120 bytes, 7 replayed"
std::string describe(const LayerChain &chain, const ChainPlan &plan);

} // namespace tt

#endif
