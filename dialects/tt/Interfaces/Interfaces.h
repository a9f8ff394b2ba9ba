//===- Interfaces.h - What an op can tell a room ----------------*- C++ -*-===//
#ifndef TT_INTERFACES_INTERFACES_H
#define TT_INTERFACES_INTERFACES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/BitVector.h"

namespace tt {

/// A set of operand or result numbers of one op, passed by value to the rules.
class ActiveSet {
public:
  ActiveSet() = default;
  explicit ActiveSet(llvm::BitVector bits) : bits(std::move(bits)) {}
  /// All of `n` positions.
  static ActiveSet all(unsigned n) { return ActiveSet(llvm::BitVector(n, true)); }

  bool operand(unsigned i) const { return i < bits.size() && bits.test(i); }
  bool result(unsigned i) const { return operand(i); }
  bool any() const { return bits.any(); }

private:
  llvm::BitVector bits;
};

} // namespace tt

#include "tt/Interfaces/CostOpInterface.h.inc"
#include "tt/Interfaces/DecomposableOpInterface.h.inc"
#include "tt/Interfaces/DifferentiableOpInterface.h.inc"
#include "tt/Interfaces/ScalarOpInterface.h.inc"

#endif
