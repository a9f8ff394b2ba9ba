//===- Indexing.h - Walks over the indices of a tensor ----------*- C++ -*-===//
#ifndef TT_LIB_REFERENCE_INDEXING_H
#define TT_LIB_REFERENCE_INDEXING_H

#include "tt/Reference/Tensor.h"

#include "llvm/ADT/ArrayRef.h"

namespace tt::reference {

/// Calls function(index, position) for every element in row-major order.
template <typename Function>
void forEachIndex(const Shape &shape, Function function) {
  int64_t count = numElements(shape);
  std::vector<int64_t> index(shape.size());
  for (int64_t position = 0; position < count; ++position) {
    function(llvm::ArrayRef<int64_t>(index), position);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d])
        break;
      index[d] = 0;
    }
  }
}

/// The row-major position of `index` in a tensor of `shape`.
inline int64_t positionOf(const Shape &shape, llvm::ArrayRef<int64_t> index) {
  int64_t position = 0;
  for (size_t d = 0; d < shape.size(); ++d) // checked: Options::maxElements
    position = position * shape[d] + index[d];
  return position;
}

} // namespace tt::reference

#endif
