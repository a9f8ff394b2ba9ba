//===- Rounding.h - Rounding to an element type -----------------*- C++ -*-===//
#ifndef TT_LIB_REFERENCE_ROUNDING_H
#define TT_LIB_REFERENCE_ROUNDING_H

#include "mlir/IR/BuiltinTypes.h"

namespace tt::reference {

/// `value` to nearest even in the element type f64, f32, bf16 or f16, as f64.
/// Subnormals are kept, overflow is infinite.
double roundTo(mlir::Type element, double value);

/// `value` wrapped to the width of i64, i32 or i8, sign-extended; for i1 its
/// lowest bit.
int64_t wrapTo(mlir::Type element, int64_t value);

} // namespace tt::reference

#endif
