//===- NarrowFloat.h - A number of an attribute in a tensor's type -*- C++ -*-===//
#ifndef TT_IR_NARROWFLOAT_H
#define TT_IR_NARROWFLOAT_H

#include "mlir/IR/BuiltinTypes.h"

namespace tt {

/// The number of `type` nearest to the value, ties to even: infinite beyond its range,
/// 0 below its smallest number.
inline llvm::APFloat narrowTo(mlir::FloatType type, llvm::APFloat value) {
  bool isLost;
  value.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &isLost);
  return value;
}

} // namespace tt

#endif
