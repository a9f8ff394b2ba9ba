//===- KernelVariants.h - Kernels for given storage layouts -----*- C++ -*-===//
#ifndef TT_LIB_KERNELS_KERNELVARIANTS_H
#define TT_LIB_KERNELS_KERNELVARIANTS_H

#include "tt/IR/TTOps.h"
#include "tt/IR/Strides.h"

#include "llvm/ADT/StringMap.h"

namespace tt {

/// Makes variants of kernels whose arguments or results are not dense, and the
/// kernel that copies. One symbol per distinct layout.
class KernelVariants {
public:
  explicit KernelVariants(mlir::ModuleOp module) : module(module) {}

  /// The symbol of `kernel` for these strides of arguments and results.
  std::string get(KernelOp kernel, llvm::ArrayRef<Strides> arguments,
                  llvm::ArrayRef<Strides> results);

  /// The kernel that copies a tensor of `type` between two layouts.
  std::string getCopy(mlir::RankedTensorType type, mlir::Location loc,
                      const Strides &from, const Strides &to);

private:
  mlir::ModuleOp module;
  llvm::StringMap<std::string> symbols; // kernel and layout -> symbol
};

} // namespace tt

#endif
