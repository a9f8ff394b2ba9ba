//===- FollowRules.h - Cotangents through declared rules --------*- C++ -*-===//
#ifndef TT_LIB_REFERENCE_FOLLOWRULES_H
#define TT_LIB_REFERENCE_FOLLOWRULES_H

#include "tt/Reference/Derivatives.h"

namespace tt::reference {

/// Fills in, for every op of `recording` with a declared rule, the cotangents that arrive
/// at it and what its rule makes of them. They are of phi = <u, the `live` results of
/// `function` at x>, the recorded run. False with an error text on failure.
bool followRules(mlir::ModuleOp module, llvm::StringRef function, const Values &x,
                 llvm::ArrayRef<int64_t> live, const Values &u, Recording &recording,
                 std::string &error);

} // namespace tt::reference

#endif
