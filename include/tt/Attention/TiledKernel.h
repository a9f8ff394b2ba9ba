//===- TiledKernel.h - What a tiled attention kernel says -------*- C++ -*-===//
//
// --tt-tile-attention leaves loops in a kernel and, as attributes, all that the
// op said. An emitter for a target reads these and puts its own code in the
// place of the loops; the tiles that it visits are TilePlan's, too.
//
//   numerics  = {block_k = 128 : i64, causal, scale = 0.125 : f64}, and what
//               else the op has of window_left, window_right, prefix, softcap,
//               dropout_p and site
//   schedule  = {block_q = 64 : i64}
//   tt.roles  = {k = 1, lse = 4, output = 3, q = 0, v = 2}
//
// A role is an operand or a result of the op by its name; its number counts the
// kernel's arguments, then its results. A result that the kernel does not yield
// has no role.
//
//===----------------------------------------------------------------------===//
#ifndef TT_ATTENTION_TILEDKERNEL_H
#define TT_ATTENTION_TILEDKERNEL_H

#include "tt/Attention/TilePlan.h"
#include "tt/IR/AttentionMask.h"

#include <optional>

namespace tt::attention {

inline constexpr llvm::StringLiteral kRolesAttr = "tt.roles";

/// Block sizes of an op that gives none. The key block is part of the numerics.
inline constexpr int64_t kDefaultBlockQ = 64, kDefaultBlockK = 128;

/// The operands of tt.attention or its adjoint that an emitter reads, and the
/// results, by role; an operand that the op has not is null.
llvm::SmallVector<std::pair<llvm::StringRef, mlir::Value>>
operandsByRole(mlir::Operation *op);
llvm::SmallVector<std::pair<llvm::StringRef, mlir::Value>>
resultsByRole(mlir::Operation *op);

struct TiledKernel {
  /// Its operands are null: `roles` says which there are.
  AttentionMask mask;
  int64_t blockQ = kDefaultBlockQ, blockK = kDefaultBlockK;
  mlir::DictionaryAttr roles;

  /// What `kernel` says; nothing if it is not a tiled attention.
  static std::optional<TiledKernel> get(KernelOp kernel);
  /// The kernel of `op`, with operands and results in the kernel's numbers.
  static TiledKernel of(mlir::Operation *op, mlir::DictionaryAttr roles);

  void writeTo(KernelOp kernel) const;
  bool isAdjoint() const { return roles.contains("d_output"); }
  /// The mask's part that is known when compiling, in blocks of this kernel.
  TilePlan plan(int64_t queries, int64_t keys) const;
  /// The tiles of a bare tt.attention or its adjoint.
  static TilePlan planOf(mlir::Operation *op);
  /// The number of the operand in this role, if the kernel has it.
  std::optional<unsigned> operand(llvm::StringRef role) const;
};

} // namespace tt::attention

#endif // TT_ATTENTION_TILEDKERNEL_H
