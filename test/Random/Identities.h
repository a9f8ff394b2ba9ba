//===- Identities.h - Ops that change nothing -------------------*- C++ -*-===//
#ifndef TT_TEST_RANDOM_IDENTITIES_H
#define TT_TEST_RANDOM_IDENTITIES_H

#include "tt/Reference/RandomInputs.h"

#include "mlir/IR/BuiltinOps.h"

namespace tt::test {

/// Behind about half of the float values of all functions, puts ops whose result
/// equals the value: reshapes and transposes and back, slices joined again, a
/// pad cut off, a broadcast of which one part is kept, times 1, plus 0.
void insertIdentities(mlir::ModuleOp module, reference::Random &random);

} // namespace tt::test

#endif
