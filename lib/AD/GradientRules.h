//===- GradientRules.h - Ops with a rule of their own -----------*- C++ -*-===//
#ifndef TT_LIB_AD_GRADIENTRULES_H
#define TT_LIB_AD_GRADIENTRULES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace tt {

/// Clones `op`, or, where it has a derivative rule of its own, only what makes
/// its value: once the rule has been used it must not be used again.
void cloneWithoutRule(mlir::OpBuilder &builder, mlir::Operation &op,
                      mlir::IRMapping &map);

} // namespace tt

#endif
