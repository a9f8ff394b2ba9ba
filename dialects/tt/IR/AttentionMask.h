//===- AttentionMask.h - What an attention op says of its scores -*- C++ -*-===//
//
// The operands and attributes that tt.attention and its adjoint share, in one
// form for rules, tiling and emitters.
//
//===----------------------------------------------------------------------===//
#ifndef TT_IR_ATTENTIONMASK_H
#define TT_IR_ATTENTIONMASK_H

#include "tt/IR/TTOps.h"

#include <optional>

namespace tt {

/// q is [B, H, T, D], k and v are [B, Hk, S, D].
struct AttentionShape {
  int64_t b, h, hk, t, s, d;

  static AttentionShape of(mlir::Value q, mlir::Value k);
  /// Query i stands at key i + diagonal().
  int64_t diagonal() const { return s - t; }
};

/// A null value or an empty attribute is a feature that is not there.
struct AttentionMask {
  mlir::Value qSegments, kSegments, slopes, bias, sinks, key;
  double scale = 1, softcap = 0, dropout = 0; // 0: none
  int64_t site = 0, prefix = 0;
  std::optional<int64_t> left, right; // of `last`; causal is right = 0
  bool causal = false;

  static AttentionMask of(mlir::Operation *op);

  /// Which keys are visible depends on values.
  bool hidesAtRunTime() const { return qSegments || bias; }
  /// A row may see no key.
  bool mayHideRows(const AttentionShape &shape) const;
};

} // namespace tt

#endif // TT_IR_ATTENTIONMASK_H
