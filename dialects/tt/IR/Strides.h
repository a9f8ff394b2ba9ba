//===- Strides.h - Layout of a tensor in storage ----------------*- C++ -*-===//
//
// Plain C++ on shapes and strides, all in elements: what the attribute tt.strides
// of kernels means to the rooms that read it.
//
//===----------------------------------------------------------------------===//
#ifndef TT_IR_STRIDES_H
#define TT_IR_STRIDES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace tt {

using Strides = llvm::SmallVector<int64_t, 4>;

/// Row-major strides of a dense tensor.
Strides denseStrides(llvm::ArrayRef<int64_t> shape);

/// True if the elements lie row-major without gaps. Dimensions of size 1 may
/// have any stride.
bool isDense(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> strides);

/// The strides that show storage of `shape` and `strides` as `newShape`, in
/// row-major order, without moving data; nullopt if there are none.
std::optional<Strides> reshapeStrides(llvm::ArrayRef<int64_t> shape,
                                      llvm::ArrayRef<int64_t> strides,
                                      llvm::ArrayRef<int64_t> newShape);

/// Result dimension i is operand dimension permutation[i].
Strides permute(llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<int64_t> permutation);
/// The other way round.
Strides permuteBack(llvm::ArrayRef<int64_t> strides,
                    llvm::ArrayRef<int64_t> permutation);

} // namespace tt

#endif
