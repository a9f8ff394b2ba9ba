//===- TileScores.h - Scores and masks of a tile ----------------*- C++ -*-===//
//
// What tt.attention's text says about one score, as ops on a tile: softcap,
// bias, slopes, which keys are visible, dropout. Forward and adjoint share it.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LIB_ATTENTION_TILESCORES_H
#define TT_LIB_ATTENTION_TILESCORES_H

#include "TileLoops.h"

namespace tt::attention {

/// Where a tile of scores lies.
struct ScoreTile {
  Head head;
  TokenBlock queries, keys;
};

class TileScores {
public:
  TileScores(TileLoops &loops, const AttentionMask &mask)
      : loops(loops), e(loops.emit), mask(mask) {}

  /// The scores before the mask. `capSlope`, if given, becomes the slope of the
  /// softcap, 1 - tanh^2(scale q k / softcap), or stays null without one.
  mlir::Value scores(const ScoreTile &tile, mlir::Value q, mlir::Value k,
                     mlir::Value *capSlope = nullptr);
  /// `x` where the key is visible, else `instead`.
  mlir::Value hide(const ScoreTile &tile, mlir::Value x, double instead);
  /// `x` after dropout of probabilities.
  mlir::Value drop(const ScoreTile &tile, mlir::Value x);

  /// A row of a tile may see none of its keys, though others see some.
  bool mayHideRowsOfTile() const {
    return mask.hidesAtRunTime() || mask.left || mask.prefix > 0 ||
           loops.hasDeadRows();
  }
  /// Adds `x` to the tile of d_bias in `to`.
  mlir::Value addToBias(const ScoreTile &tile, mlir::Value x, mlir::Value to);

  const AttentionMask &getMask() const { return mask; }

private:
  mlir::Value readBias(const ScoreTile &tile, mlir::Value from);
  mlir::Value readSegments(const ScoreTile &tile, mlir::Value from, bool ofKeys);
  /// Columns of the tile, and the first column that is beyond `last` of the row
  /// by `distance`: j - (i + S - T) <= distance iff column <= row bound.
  mlir::Value columns(const ScoreTile &tile);
  mlir::Value rowBound(const ScoreTile &tile, int64_t distance);

  TileLoops &loops;
  Emit &e;
  AttentionMask mask;
};

/// The loops of an op; its results' replacements in order.
TileLoops::Values emitTiledAttention(mlir::OpBuilder &builder, AttentionOp op,
                                     const TilePlan &plan);
TileLoops::Values emitTiledAdjoint(mlir::OpBuilder &builder, AttentionBwdOp op,
                                   const TilePlan &plan);

} // namespace tt::attention

#endif // TT_LIB_ATTENTION_TILESCORES_H
