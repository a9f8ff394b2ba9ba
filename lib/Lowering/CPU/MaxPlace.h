//===- MaxPlace.h - The greater of two, and where it was --------*- C++ -*-===//
#ifndef TT_LIB_LOWERING_CPU_MAXPLACE_H
#define TT_LIB_LOWERING_CPU_MAXPLACE_H

#include "LoopEmitter.h"

namespace tt::cpu {

/// The greater of a and b with its place; NaN is greatest. b wins if it is
/// truly greater, or as great and (tieToLower) further to the front.
std::pair<mlir::Value, mlir::Value>
emitBetterMax(LoopEmitter &e, mlir::Value a, mlir::Value aAt, mlir::Value b,
              mlir::Value bAt, bool tieToLower);

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_MAXPLACE_H
