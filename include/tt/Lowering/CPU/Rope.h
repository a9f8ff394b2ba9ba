//===- Rope.h - Rotary position embedding -----------------------*- C++ -*-===//
#ifndef TT_LOWERING_CPU_ROPE_H
#define TT_LOWERING_CPU_ROPE_H

#include "tt/Lowering/CPU/Attention.h"
#include <vector>

namespace tt::cpu {

/// Pair i of a head is (x[i], x[i + D/2]), or (x[2i], x[2i + 1]) when
/// interleaved. It is turned by the angle of its position: with c and s the
/// table's cosine and sine, y0 = x0 c - x1 s and y1 = x1 c + x0 s; the inverse
/// has -s. The second product is rounded, then one FMA.
struct RopeSpec {
  int64_t batch = 1, heads = 1, tokens = 1, headSize = 2; // headSize is even
  bool interleaved = false;
  bool inverse = false; // the adjoint
  HeadsOperand x, y;    // may be the same buffer
  /// Dense f32 [tokens, headSize / 2].
  unsigned cosOperand = 0, sinOperand = 0;
  unsigned numOperands = 0;
  llvm::SmallVector<unsigned> mayAlias; // x and y when in place
};

EmittedKernel emitRope(mlir::ModuleOp module, mlir::Location loc,
                       llvm::StringRef symbol, const Target &target,
                       const RopeSpec &spec);

/// The tables for the positions firstPosition, firstPosition + 1, ...
struct RopeTable {
  std::vector<float> cosines, sines;
};

/// Angles position * theta^(-2i/D) are formed, and their cosine and sine taken,
/// in f64; only the results are rounded.
RopeTable computeRopeTable(int64_t firstPosition, int64_t tokens,
                           int64_t headSize, double theta);
/// The same with a frequency per pair in the place of theta^(-2i/D).
RopeTable computeRopeTable(int64_t firstPosition, int64_t tokens,
                           llvm::ArrayRef<double> frequencies);

} // namespace tt::cpu

#endif // TT_LOWERING_CPU_ROPE_H
