//===- Operators.h - The kinds of changes -----------------------*- C++ -*-===//
#ifndef TT_TEST_MUTATION_OPERATORS_H
#define TT_TEST_MUTATION_OPERATORS_H

#include "mlir/IR/Operation.h"

#include <functional>
#include <string>
#include <vector>

namespace tt::test {

/// One change that suits an op. `apply` may leave IR that does not verify.
struct Operator {
  std::string name;
  std::function<void(mlir::Operation *)> apply;
};

/// Those that could be made to `op`.
std::vector<Operator> operatorsFor(mlir::Operation *op);

/// What follows from an op's attributes: axes, predicates, offsets, flags.
void addAttributeOperators(mlir::Operation *op, std::vector<Operator> &operators);

/// Of the ops around those of the dialect in loops over tiles: trips, offsets, and
/// the bounds of masks.
void addLoopOperators(mlir::Operation *op, std::vector<Operator> &operators);

} // namespace tt::test

#endif
