//===- FoldConstants.h - What does not depend on arguments ------*- C++ -*-===//
#ifndef TT_TEST_MUTATION_FOLDCONSTANTS_H
#define TT_TEST_MUTATION_FOLDCONSTANTS_H

#include "mlir/IR/BuiltinOps.h"

namespace tt::test {

/// Puts the number in the place of every value of a function in f64 that no argument
/// reaches, such as the positions that a mask is made of. Exact: the interpreter
/// computes each op as it would in its place.
void foldConstants(mlir::ModuleOp module);

} // namespace tt::test

#endif
