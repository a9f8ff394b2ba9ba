//===- Mutate.h - Wrong adjoints, made mechanically -------------*- C++ -*-===//
//
// Each mutant is one small change of the adjoint that AD has emitted, of the kind
// that a wrong rule would show. Nothing of the compiler uses this.
//
//===----------------------------------------------------------------------===//
#ifndef TT_TEST_MUTATION_MUTATE_H
#define TT_TEST_MUTATION_MUTATE_H

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <string>
#include <vector>

namespace tt::test {

/// One change of one op of a backward function.
struct Mutant {
  std::string operation; // "tt.mul"
  std::string change;    // "flip the sign", "forget the sum over dims", ...
  std::string place;     // "@f_bwd #3"
  /// Makes the change in a module that is a clone of the one the mutant was
  /// found in. False if it does not verify there.
  std::function<bool(mlir::ModuleOp)> apply;
};

/// All changes of all backward functions of `module` that verify.
std::vector<Mutant> findMutants(mlir::ModuleOp module);

/// True if both modules are the same text once they are canonicalised: the
/// change has changed nothing.
bool areEquivalent(mlir::ModuleOp a, mlir::ModuleOp b);

} // namespace tt::test

#endif
