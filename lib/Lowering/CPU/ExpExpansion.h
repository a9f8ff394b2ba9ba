//===- ExpExpansion.h - exp of f32 in fixed arithmetic ----------*- C++ -*-===//
#ifndef TT_LIB_LOWERING_CPU_EXPEXPANSION_H
#define TT_LIB_LOWERING_CPU_EXPEXPANSION_H

#include "mlir/IR/PatternMatch.h"

namespace tt::cpu {

/// math.exp of f32, scalars and vectors: within one unit in the last place; 0
/// where the result is no normal number, infinity from 88.7227 on, 1 for 0, NaN
/// for NaN.
void populateExpExpansionPatterns(mlir::RewritePatternSet &patterns);

} // namespace tt::cpu

#endif
