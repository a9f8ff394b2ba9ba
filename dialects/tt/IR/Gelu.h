//===- Gelu.h - What gelu's forms share -------------------------*- C++ -*-===//
#ifndef TT_IR_GELU_H
#define TT_IR_GELU_H

#include "tt/IR/Emit.h"
#include "tt/IR/TTOps.h"

namespace tt {

/// gelu(x) = x/2 (1 + tanh(sqrt(2/pi) (x + kGeluCubic x^3))).
inline constexpr double kGeluCubic = 0.044715;
/// From here on the slope is 1, or 0 below 0, in every type and both forms. Powers of a
/// larger x must not multiply it: they may be infinite.
inline constexpr double kGeluSaturated = 64;

/// x, as far as the slope feels it.
inline mlir::Value saturatedGelu(Emit &e, mlir::Value x) {
  return ClampOp::create(e.builder, e.loc, x, llvm::APFloat(-kGeluSaturated),
                         llvm::APFloat(kGeluSaturated));
}

} // namespace tt

#endif
