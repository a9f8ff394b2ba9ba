//===- Attention.h - f32 attention, forward and backward --------*- C++ -*-===//
//
// Numerics, which no schedule, level, thread count or task order may change:
// - A score is scale * log2(e) * q, rounded, times k: a chain of FMAs in
//   increasing d from 0. exp2 is the polynomial of AttentionTiles.h.
// - Forward: keys come in blocks of blockK, which is part of the numerics. Per
//   block the running maximum is raised, the running sum and output are scaled
//   by exp2(old - new), and the block's probabilities are added in key order:
//   the sum from 0 and then to the running sum, the output as an FMA chain that
//   goes on from the scaled output. Masked keys are left out.
// - Backward: probabilities come again from q, k and lse. dv and dk are FMA
//   chains over (query head of the group, query), dq over keys, all in
//   increasing order from 0; no tile size enters. `scale` is folded into the q
//   that dk reads, and applied to the end of dq's chain.
// - Score features, only in kernels that have them: softcap c is c log2(e)
//   tanh(s / c) with scale / c folded into q; then the bias and the slope times
//   the distance are added by FMAs, in that order, in base 2.
// - Segments, bias and windows hide keys as causal does: p is selected to 0.
// - A sink enters at the end of a row: m, sum and output are scaled to the
//   larger of m and sink. Dropout zeroes p where Philox says so, after the row
//   sum; 1 / (1 - p) is folded into the output's factor, and into the dOut that
//   the backward reads.
// - d_bias is its own phase: scores and ds again, summed over the batches and
//   heads that share a bias in increasing order from 0.
// A query that sees no key gives output 0, lse -inf and gradients 0, and its
// row of dOut does not reach dk or dv.
//
// Queries lie in the vector lanes (transposed score tiles), so softmax needs no
// horizontal step and no key or value is packed. Scratch is per worker and
// holds tiles only.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LOWERING_CPU_ATTENTION_H
#define TT_LOWERING_CPU_ATTENTION_H

#include "tt/Attention/TilePlan.h"
#include "tt/Lowering/CPU/KernelShell.h"
#include "tt/Lowering/CPU/Target.h"

#include <optional>

namespace tt::cpu {

/// Where a [B, H, T, D] tensor lies: operand number and strides in elements. D
/// is contiguous.
struct HeadsOperand {
  unsigned operand = 0;
  int64_t batch = 0, head = 0, token = 0;

  /// Dense [B, H, T, D].
  static HeadsOperand dense(unsigned operand, int64_t heads, int64_t tokens,
                            int64_t headSize);
};

/// Segment ids [B, T] or [B, S]: tokens are neighbours.
struct SegmentsOperand {
  unsigned operand = 0;
  int64_t batch = 0; // stride
  bool isWide = false; // i64, else i32
};

/// The key block when AttentionSpec gives none. Part of the numerics.
inline constexpr int64_t kAttentionKeyBlock = 128;

struct AttentionSpec {
  int64_t batch = 1, heads = 1, kvHeads = 1; // kvHeads divides heads
  int64_t queries = 1, keys = 1, headSize = 1;
  bool causal = false; // query i sees the keys j <= i + keys - queries
  double scale = 1.0;

  // What plain attention has not; see tt.attention.
  int64_t windowLeft = attention::kNoWindow, windowRight = attention::kNoWindow;
  int64_t prefix = 0, site = 0;
  double softcap = 0, dropout = 0; // 0: none
  std::optional<SegmentsOperand> qSegments, kSegments;
  std::optional<unsigned> slopes, sinks, key; // [H], [H], [2]
  /// [biasBatch, biasHeads, T, S]: strides of batch and head, 0 where one is for
  /// all; a row's elements are neighbours. dBias: backward only.
  std::optional<HeadsOperand> bias, dBias;
  int64_t biasBatch = 1, biasHeads = 1;
  std::optional<HeadsOperand> dLse; // backward only; [B, H, T], token is 1

  bool hidesAtRunTime() const { return qSegments || bias; }
  /// Rows without keys are found by their lse.
  bool mayHideRowsAnyhow() const {
    return hidesAtRunTime() || prefix > 0 ||
           windowLeft != attention::kNoWindow || windowRight != attention::kNoWindow;
  }

  /// Forward numerics, see above; 0: kAttentionKeyBlock.
  int64_t blockK = 0;
  /// Schedule: queries per tile, a multiple of 16, and keys per backward tile;
  /// 0: chosen by the emitter.
  int64_t blockQ = 0, backwardBlockK = 0;
  /// Schedule of the backward: false: one task per (batch, kv head), 5
  /// products; true: dk and dv, then dq, in many tasks with 7 products.
  bool splitBackward = false;

  /// Query head h reads kv head h / (heads / kvHeads).
  HeadsOperand q, k, v, out;
  HeadsOperand dOut, dq, dk, dv; // backward only
  unsigned lseOperand = 0;       // dense f32 [B, H, T], natural logarithm
  unsigned numOperands = 0;
};

/// out = softmax(scale * q k^T + mask) v, and lse.
EmittedKernel emitAttentionForward(mlir::ModuleOp module, mlir::Location loc,
                                   llvm::StringRef symbol, const Target &target,
                                   const AttentionSpec &spec);

/// dq, dk, dv from q, k, v, out, lse and dOut.
EmittedKernel emitAttentionBackward(mlir::ModuleOp module, mlir::Location loc,
                                    llvm::StringRef symbol,
                                    const Target &target,
                                    const AttentionSpec &spec);

} // namespace tt::cpu

#endif // TT_LOWERING_CPU_ATTENTION_H
