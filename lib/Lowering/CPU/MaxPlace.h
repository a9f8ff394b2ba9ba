//===- MaxPlace.h - The greater of two, and where it was --------*- C++ -*-===//
#ifndef TT_LIB_LOWERING_CPU_MAXPLACE_H
#define TT_LIB_LOWERING_CPU_MAXPLACE_H

#include "LoopEmitter.h"
#include "tt/IR/TTOps.h"
#include <optional>

namespace tt::cpu {

/// The greater of a and b with its place; NaN is greatest. b wins if it is
/// truly greater, or as great and (tieToLower) further to the front.
std::pair<mlir::Value, mlir::Value>
emitBetterMax(LoopEmitter &e, mlir::Value a, mlir::Value aAt, mlir::Value b,
              mlir::Value bAt, bool tieToLower);

/// An op that finds the greatest or least element of every line.
struct Extremum {
  mlir::Value input, output, index; // output is null for argmax and argmin
  int64_t dim;
  bool isMin;

  /// `x`, or its negative for a minimum: the maximum of that is what to find.
  mlir::Value signedValue(LoopEmitter &e, mlir::Value x) const;
};
/// Nothing if `op` is no extremum.
std::optional<Extremum> getExtremum(mlir::Operation *op);

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_MAXPLACE_H
