//===- OpCost.h - What one execution of an op costs -------------*- C++ -*-===//
#ifndef TT_AD_OPCOST_H
#define TT_AD_OPCOST_H

#include <cstdint>

namespace mlir {
class Operation;
} // namespace mlir

namespace tt {

/// Counted without masks, as if every element were computed.
struct OpCost {
  /// In matrix products, a multiply-add as 2 (CostOpInterface).
  int64_t matmulFlops = 0;
  /// Everything else on floats. An elementwise op is 1 per element of its result
  /// whatever it computes (so is exp), a sum or scan 1 per element that it reads, a
  /// sort of n numbers n ceil(log2 n), AdamW 12 per parameter. A composite op costs
  /// what its decomposition does. Moves, casts, comparisons of integers and the
  /// generation of random bits are free.
  int64_t otherFlops = 0;
  /// Operands read once and results written once, the op run by itself. Views move
  /// nothing; of a table only the rows that are read count.
  int64_t bytes = 0;
};

/// `op` is a tt op on ranked tensors of static shape; others cost nothing.
OpCost costOf(mlir::Operation *op);

} // namespace tt

#endif
