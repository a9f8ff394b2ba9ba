//===- TrigExpansion.h - sin and cos of f32 in fixed arithmetic -*- C++ -*-===//
#ifndef TT_LIB_LOWERING_CPU_TRIGEXPANSION_H
#define TT_LIB_LOWERING_CPU_TRIGEXPANSION_H

#include "mlir/IR/PatternMatch.h"

namespace tt::cpu {

/// math.sin and math.cos of f32, scalars and vectors: within 0.51 units in the last
/// place of f32 on its whole range; NaN for what is not finite.
void populateTrigExpansionPatterns(mlir::RewritePatternSet &patterns);

} // namespace tt::cpu

#endif
