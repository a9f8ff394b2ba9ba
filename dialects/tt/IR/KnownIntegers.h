//===- KnownIntegers.h - Integers known at compile time ---------*- C++ -*-===//
#ifndef TT_LIB_IR_KNOWNINTEGERS_H
#define TT_LIB_IR_KNOWNINTEGERS_H

#include "tt/IR/Emit.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace tt {

/// Constants with more elements are computed at run time: a mask of 64 x 64
/// folds, one of 1024 x 1024 would be a megabyte of library.
inline constexpr int64_t kMaxFoldedElements = 4096;

using Integers = llvm::SmallVector<llvm::APInt>;

/// The elements of an integer tensor made of constants, iotas and the ops that
/// move elements; nothing if it depends on an argument, is no integer or is too
/// large.
std::optional<Integers> knownIntegers(mlir::Value value);

/// The constant f(lhs, rhs) of `result`'s type, or null.
mlir::OpFoldResult foldIntegers(
    mlir::Value lhs, mlir::Value rhs, mlir::Type result,
    llvm::function_ref<llvm::APInt(const llvm::APInt &, const llvm::APInt &)> f);

/// True if every element of `value` is known to be `number`.
bool isKnownSplat(mlir::Value value, int64_t number);

/// floor(a / b), 0 for b = 0.
llvm::APInt floorDiv(const llvm::APInt &a, const llvm::APInt &b);

} // namespace tt

#endif
