//===- Mutate.h - Wrong code, made mechanically -----------------*- C++ -*-===//
//
// Each mutant is one small change of what a stage of the compiler has emitted, of the
// kind that a wrong rule would show: adjoints and forward-mode functions of AD, tile
// loops of attention. Nothing of the compiler uses this.
//
//===----------------------------------------------------------------------===//
#ifndef TT_TEST_MUTATION_MUTATE_H
#define TT_TEST_MUTATION_MUTATE_H

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <string>
#include <vector>

namespace tt::test {

/// What is changed.
enum class Kind { Adjoint, Tangent, Tiles };

/// One change of one op.
struct Mutant {
  Kind kind;
  std::string operation; // "tt.mul"
  std::string change;    // "flip the sign", "forget the sum over dims", ...
  std::string place;     // "@f_bwd #3"
  size_t body, number;   // the 3rd op of that body among those of its kind
  /// Makes the change in a module that is a clone of the one the mutant was
  /// found in. False if it does not verify there.
  std::function<bool(mlir::ModuleOp)> apply;
};

/// All changes that verify: of the backward functions of `module`, of its tangent
/// functions, or of the functions and kernels that hold loops.
std::vector<Mutant> findMutants(mlir::ModuleOp module, Kind kind);

/// The op that a mutant changes, in the module it was found in or a clone.
mlir::Operation *opOf(mlir::ModuleOp module, const Mutant &mutant);

/// True if both modules are the same text once what no argument reaches is computed and
/// they are canonicalised: the change has changed nothing.
bool areEquivalent(mlir::ModuleOp a, mlir::ModuleOp b);

} // namespace tt::test

#endif
