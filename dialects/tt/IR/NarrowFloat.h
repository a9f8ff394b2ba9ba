//===- NarrowFloat.h - A number of an attribute in a tensor's type -*- C++ -*-===//
#ifndef TT_IR_NARROWFLOAT_H
#define TT_IR_NARROWFLOAT_H

#include "mlir/IR/BuiltinTypes.h"

#include <string>

namespace tt {

/// The number of `type` nearest to the value, ties to even: infinite beyond its range,
/// 0 below its smallest number.
inline llvm::APFloat narrowTo(mlir::FloatType type, llvm::APFloat value) {
  bool isLost;
  value.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &isLost);
  return value;
}

/// True if `type` holds about the value: it is finite in both, and 0 only if it is 0.
inline bool isHeldBy(mlir::FloatType type, const llvm::APFloat &value) {
  llvm::APFloat narrow = narrowTo(type, value);
  return value.isFinite() && narrow.isFinite() && narrow.isZero() == value.isZero();
}

/// Of an attribute, for a diagnostic: "1e+39, which 'f32' does not hold", or only the
/// number where it is not the type that is in the way.
std::string numberText(const llvm::APFloat &value);
std::string numberText(const llvm::APFloat &value, mlir::FloatType type);

} // namespace tt

#endif
