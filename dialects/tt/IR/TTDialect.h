//===- TTDialect.h - The tt dialect -----------------------------*- C++ -*-===//
#ifndef TT_IR_TTDIALECT_H
#define TT_IR_TTDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

#include "tt/IR/TTDialect.h.inc"
#include "tt/IR/TTEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tt/IR/TTTypes.h.inc"

namespace tt {
/// Names of argument and result attributes of entry functions.
inline constexpr llvm::StringLiteral kParamAttr = "tt.param";
inline constexpr llvm::StringLiteral kInputAttr = "tt.input";
inline constexpr llvm::StringLiteral kStateAttr = "tt.state";
inline constexpr llvm::StringLiteral kFrozenAttr = "tt.frozen";
inline constexpr llvm::StringLiteral kUpdatesAttr = "tt.updates";
inline constexpr llvm::StringLiteral kOutputAttr = "tt.output";
inline constexpr llvm::StringLiteral kInitAttr = "tt.init";
inline constexpr llvm::StringLiteral kIndexLimitAttr = "tt.index_limit";
inline constexpr llvm::StringLiteral kIndexIgnoreAttr = "tt.index_ignore";
inline constexpr llvm::StringLiteral kStridesAttr = "tt.strides";

/// True unless a dimension of a static tensor is over 2^40 or the tensor over
/// 2^47 bytes. A dimension of 0 counts as 1, so that products of some of the
/// dimensions are bounded too.
bool hasBoundedSize(mlir::Type type);
} // namespace tt

#endif
