//===- AttentionMatrix.h - Attention with its score matrix ------*- C++ -*-===//
//
// The formula of tt.attention as ops on [B, H, T, S] tensors: what the forward
// rule and the decompositions emit. For tests, small graphs and second order;
// the first derivative of a model never holds a score matrix.
//
//===----------------------------------------------------------------------===//
#ifndef TT_IR_ATTENTIONMATRIX_H
#define TT_IR_ATTENTIONMATRIX_H

#include "tt/IR/AttentionMask.h"
#include "tt/IR/Emit.h"

namespace tt {

class AttentionMatrix {
public:
  /// Everything is in the type of sums: q, k, v of any float type are cast.
  AttentionMatrix(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value q,
                  mlir::Value k, mlir::Value v, const AttentionMask &mask);

  /// `value` in the type of sums, key heads repeated for each query head.
  mlir::Value perHead(mlir::Value value);
  /// The way back: [B, H, S, D] summed to [B, Hk, S, D].
  mlir::Value sumGroups(mlir::Value value);
  mlir::Value product(mlir::Value a, mlir::Value b, bool transposeA,
                      bool transposeB);

  /// The scores before the mask.
  mlir::Value scores();
  /// `x` where the key is visible, else `instead`.
  mlir::Value hide(mlir::Value x, double instead);
  /// e^(s - lse), 0 for hidden keys. `lse` is [B, H, T].
  mlir::Value probabilities(mlir::Value lse);
  /// `x` after dropout of probabilities.
  mlir::Value drop(mlir::Value x);
  /// d score / d(scale q k^T) times x.
  mlir::Value throughCap(mlir::Value x); // after scores()
  /// |last - j|.
  mlir::Value distance();
  /// A per-head vector [H] repeated to the score matrix, or to [B, H, T].
  mlir::Value ofHeads(mlir::Value perHead, bool withKeys);
  /// A bias-shaped tensor repeated to the score matrix, and its adjoint.
  mlir::Value ofBias(mlir::Value bias);
  mlir::Value sumToBias(mlir::Value x, mlir::Value bias);

  Emit e;
  const AttentionMask mask;
  const AttentionShape n;
  const mlir::Type stat; // f32, or f64 for f64
  mlir::Value q, k, v;   // in `stat`; k and v with H heads

private:
  mlir::Value iota(int64_t dim);
  llvm::SmallVector<int64_t> shape() const { return {n.b, n.h, n.t, n.s}; }

  mlir::Value raw, ofCap, places; // ofCap: scale q k^T / softcap
};

/// True where `lse` is not -inf: the row sees a key.
mlir::Value isAlive(Emit &e, mlir::Value lse);

} // namespace tt

#endif // TT_IR_ATTENTIONMATRIX_H
