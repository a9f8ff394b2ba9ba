//===- Strides.cpp - Layout of a tensor in storage ------------------------===//
#include "tt/IR/Strides.h"

#include "llvm/ADT/STLExtras.h"

using namespace tt;
using llvm::ArrayRef;

Strides tt::denseStrides(ArrayRef<int64_t> shape) {
  Strides strides(shape.size(), 1);
  for (int64_t i = int64_t(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1]; // checked: sizes, at import
  return strides;
}

bool tt::isDense(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  Strides dense = denseStrides(shape);
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] != 1 && strides[i] != dense[i])
      return false;
  return true;
}

std::optional<Strides> tt::reshapeStrides(ArrayRef<int64_t> shape,
                                          ArrayRef<int64_t> strides,
                                          ArrayRef<int64_t> newShape) {
  if (isDense(shape, strides))
    return denseStrides(newShape);
  // Old dimensions without those of size 1, which carry no stride.
  llvm::SmallVector<std::pair<int64_t, int64_t>> old;
  for (auto [size, stride] : llvm::zip(shape, strides)) {
    if (size == 0)
      return std::nullopt;
    if (size != 1)
      old.push_back({size, stride});
  }
  Strides result(newShape.size(), 1);
  size_t oldBegin = 0, newBegin = 0;
  while (newBegin < newShape.size() && oldBegin < old.size()) {
    // The shortest runs of old and new dimensions with equal products.
    size_t oldEnd = oldBegin + 1, newEnd = newBegin + 1;
    int64_t oldSize = old[oldBegin].first, newSize = newShape[newBegin];
    while (oldSize != newSize) {
      if (newSize < oldSize) {
        if (newEnd == newShape.size())
          return std::nullopt;
        newSize *= newShape[newEnd++];
      } else {
        if (oldEnd == old.size())
          return std::nullopt;
        oldSize *= old[oldEnd++].first;
      }
    }
    // The old run must be one walk through storage.
    for (size_t i = oldBegin; i + 1 < oldEnd; ++i)
      if (old[i].second != old[i + 1].second * old[i + 1].first)
        return std::nullopt;
    int64_t stride = old[oldEnd - 1].second;
    for (size_t i = newEnd; i-- > newBegin;) {
      result[i] = stride;
      stride *= newShape[i];
    }
    oldBegin = oldEnd;
    newBegin = newEnd;
  }
  for (size_t i = newBegin; i < newShape.size(); ++i) {
    if (newShape[i] != 1)
      return std::nullopt;
    result[i] = 1;
  }
  return result;
}

Strides tt::permute(ArrayRef<int64_t> strides, ArrayRef<int64_t> permutation) {
  Strides result;
  for (int64_t dim : permutation)
    result.push_back(strides[dim]);
  return result;
}

Strides tt::permuteBack(ArrayRef<int64_t> strides, ArrayRef<int64_t> permutation) {
  Strides result(strides.size());
  for (auto [i, dim] : llvm::enumerate(permutation))
    result[dim] = strides[i];
  return result;
}
