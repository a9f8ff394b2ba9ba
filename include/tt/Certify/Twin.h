//===- Twin.h - The same graph with small sizes -----------------*- C++ -*-===//
#ifndef TT_CERTIFY_TWIN_H
#define TT_CERTIFY_TWIN_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace tt::certify {

/// How a twin came about.
struct TwinReport {
  bool isShrunken = false;   // else the graph was small enough as it is
  unsigned removedCalls = 0; // layers left out
  int64_t elements = 0;      // of all values of the twin
  std::string note;          // why it is not shrunken
};

/// A graph of at most this many elements is its own twin when no smaller one
/// was found.
inline constexpr int64_t kLargestTwin = int64_t(1) << 18;

/// The same graph with small sizes: the ops, their order and all attributes
/// that are not sizes are those of `module`. Of a chain of calls of one function
/// with one pattern of frozen operands the first two are kept. Null, and an
/// error that names the op, if there is no small graph.
mlir::OwningOpRef<mlir::ModuleOp> makeTwin(mlir::ModuleOp module,
                                           llvm::StringRef function,
                                           TwinReport &report,
                                           std::string &error);

/// Makes every float of the module an f64, constants included.
void toF64(mlir::ModuleOp module);

/// Leaves out all but the first two calls of each chain; returns how many.
unsigned cutDepth(mlir::ModuleOp module);

} // namespace tt::certify

#endif
