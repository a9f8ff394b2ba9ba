//===- TiledKernel.h - What a tiled attention kernel says -------*- C++ -*-===//
//
// --tt-tile-attention leaves loops in a kernel and, as attributes, all that the
// op said. An emitter for a target reads these and puts its own code in the
// place of the loops; the tiles that it visits are TilePlan's, too.
//
//   numerics  = {block_k = 128 : i64, causal, scale = 0.125 : f64}
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

#include "tt/IR/TTOps.h"

#include <optional>

namespace tt::attention {

inline constexpr llvm::StringLiteral kRolesAttr = "tt.roles";

/// Block sizes of an op that gives none. The key block is part of the numerics.
inline constexpr int64_t kDefaultBlockQ = 64, kDefaultBlockK = 128;

struct TiledKernel {
  bool causal = false;
  double scale = 1;
  int64_t blockQ = kDefaultBlockQ, blockK = kDefaultBlockK;
  mlir::DictionaryAttr roles;

  /// What `kernel` says; nothing if it is not a tiled attention.
  static std::optional<TiledKernel> get(KernelOp kernel);
  /// The kernel of `op`, with operands and results in the kernel's numbers.
  static TiledKernel of(mlir::Operation *op, mlir::DictionaryAttr roles);

  void writeTo(KernelOp kernel) const;
  bool isAdjoint() const { return roles.contains("d_output"); }
  /// The number of the operand in this role, if the kernel has it.
  std::optional<unsigned> operand(llvm::StringRef role) const;
};

} // namespace tt::attention

#endif // TT_ATTENTION_TILEDKERNEL_H
