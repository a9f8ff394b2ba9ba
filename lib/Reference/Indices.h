//===- Indices.h - Indices that must be in range ----------------*- C++ -*-===//
#ifndef TT_LIB_REFERENCE_INDICES_H
#define TT_LIB_REFERENCE_INDICES_H

#include "Frame.h"

namespace tt::reference {

/// Reports the position of the first index outside [0, limit) if the run is
/// strict about it.
template <typename T>
bool checkIndices(mlir::Operation *op, const IntTensor &indices, int64_t limit,
                  Frame<T> &frame) {
  if (!frame.options.strictIndices)
    return true;
  for (int64_t i = 0; i < indices.size(); ++i)
    if (indices[i] < 0 || indices[i] >= limit) {
      frame.fail(op, "expected indices in [0, " + llvm::Twine(limit) +
                         "), but got " + llvm::Twine(indices[i]) +
                         " at position " + llvm::Twine(i));
      return false;
    }
  return true;
}

} // namespace tt::reference

#endif
