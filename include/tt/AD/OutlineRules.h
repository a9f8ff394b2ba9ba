//===- OutlineRules.h - Rules that are regions, as functions ----*- C++ -*-===//
#ifndef TT_AD_OUTLINERULES_H
#define TT_AD_OUTLINERULES_H

#include "mlir/IR/BuiltinOps.h"

namespace tt {

/// Every rule of a tt.custom_vjp that is a region becomes a private function
/// @CALLEE_vjp: what reads the module afterwards meets one form. The module verifies.
void outlineRules(mlir::ModuleOp module);

} // namespace tt

#endif
