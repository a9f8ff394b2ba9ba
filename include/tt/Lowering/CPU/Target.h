//===- Target.h - What the CPU emitters know about a level ------*- C++ -*-===//
//
// A level is one ISA baseline that a model library holds kernels for. The
// figures here are schedule: none of them may change a bit of a result.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LOWERING_CPU_TARGET_H
#define TT_LOWERING_CPU_TARGET_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace tt::cpu {

/// Logical lanes of every f32 vector we emit, on every level. LLVM splits a
/// vector<16xf32> into two ymm registers on v3, so numerics do not differ.
inline constexpr int64_t kLanes = 16;

/// Alignment of operand roots, workspace and scratch, in bytes.
inline constexpr int64_t kAlignment = 64;

struct Target {
  unsigned isa;              // TT_ISA_V3 or TT_ISA_V4
  llvm::StringRef suffix;    // "_v3", "_v4": ends every symbol of the level
  llvm::StringRef cpu;       // -march name for LLVM
  llvm::StringRef features;  // extra features, "" for none
  unsigned preferVectorBits; // "prefer-vector-width"

  // Matmul register tile: gemmRows rows of gemmVectors logical vectors.
  int64_t gemmRows;
  int64_t gemmVectors;
  // Columns of a packed B block, sized to stay in L2 next to C and A.
  int64_t gemmBlockColumns;
  // Pack an A whose k steps are not neighbours. Narrow tiles read A so often
  // that it pays.
  bool packStridedA;
  // Side of the square transposes used when packing (8 or 16).
  int64_t transposeSide;

  int64_t gemmColumns() const { return gemmVectors * kLanes; }
};

/// The description of a level; `isa` is TT_ISA_V3 or TT_ISA_V4.
const Target &getTarget(unsigned isa);

/// True when the machine that runs this process can execute the level.
bool hostSupports(const Target &target);

} // namespace tt::cpu

#endif // TT_LOWERING_CPU_TARGET_H
