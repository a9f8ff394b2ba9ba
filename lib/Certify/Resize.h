//===- Resize.h - Gives a graph other sizes ---------------------*- C++ -*-===//
#ifndef TT_LIB_CERTIFY_RESIZE_H
#define TT_LIB_CERTIFY_RESIZE_H

#include "tt/Certify/DimGraph.h"

namespace tt::certify {

/// Rewrites the types of all values inside `root`, the function types and the
/// attributes that hold sizes. `sizes` has one entry per dimension of `graph`.
/// `smallBlocks`: attention in blocks of 4, with windows to suit.
void resize(mlir::Operation *root, DimGraph &graph, llvm::ArrayRef<int64_t> sizes,
            bool smallBlocks);

} // namespace tt::certify

#endif
