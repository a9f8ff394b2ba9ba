//===- FaultyRule.h - The op whose rule is wrong ----------------*- C++ -*-===//
#ifndef TT_LIB_CERTIFY_FAULTYRULE_H
#define TT_LIB_CERTIFY_FAULTYRULE_H

#include "tt/Certify/Certificate.h"
#include "tt/Reference/RandomInputs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tt::certify {

/// The first op of `function` and of what it calls whose derivatives fail by
/// themselves at the inputs that `options.seed` draws. `options.onPair` changes the
/// pair of each op as it does that of the function.
RuleFault findFaultyRule(mlir::ModuleOp twin, mlir::func::FuncOp function,
                         const reference::GradientCheckOptions &options);

} // namespace tt::certify

#endif
