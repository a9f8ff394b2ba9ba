//===- TanhExpansion.h - tanh of f32 in fixed arithmetic --------*- C++ -*-===//
#ifndef TT_LIB_LOWERING_CPU_TANHEXPANSION_H
#define TT_LIB_LOWERING_CPU_TANHEXPANSION_H

#include "mlir/IR/PatternMatch.h"

namespace tt::cpu {

/// math.tanh of f32, scalars and vectors: within 1.5 units in the last place,
/// within one where it is next to 1; +-1 for +-infinity, NaN for NaN.
void populateTanhExpansionPatterns(mlir::RewritePatternSet &patterns);

} // namespace tt::cpu

#endif
