//===- ExpExpansion.h - exp of f32 in fixed arithmetic ----------*- C++ -*-===//
#ifndef TT_LIB_LOWERING_CPU_EXPEXPANSION_H
#define TT_LIB_LOWERING_CPU_EXPEXPANSION_H

#include "mlir/IR/PatternMatch.h"

namespace tt::cpu {

/// math.exp of f32, scalars and vectors: within one unit in the last place; 0
/// where the result is no normal number, infinity from 88.7227 on, 1 for 0, NaN
/// for NaN.
void populateExpExpansionPatterns(mlir::RewritePatternSet &patterns);

inline constexpr double kLog2E = 1.4426950408889634;
/// In [2^23, 2^24), where the last bit of a float counts ones: added to x, it
/// rounds x to the whole n and leaves n + 127 in the low bits.
inline constexpr double kRoundToWhole = 12582912.0 + 127.0;
/// 2^n, of f32 or a vector of it, from n + kRoundToWhole; n in [-126, 127], and
/// 0 for -127.
mlir::Value emitPowerOfTwo(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value shifted);

} // namespace tt::cpu

#endif
