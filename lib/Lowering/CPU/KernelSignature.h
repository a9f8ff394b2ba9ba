//===- KernelSignature.h - Operands of a kernel and its job -----*- C++ -*-===//
#ifndef TT_LIB_LOWERING_CPU_KERNELSIGNATURE_H
#define TT_LIB_LOWERING_CPU_KERNELSIGNATURE_H

#include "tt/IR/Strides.h"
#include "tt/Lowering/CPU/EmitKernel.h"
#include <optional>

namespace tt::cpu {

int64_t elementCount(llvm::ArrayRef<int64_t> shape);

/// A tensor in the storage of one operand of the kernel.
struct StridedOperand {
  unsigned number = 0; // in the operand list: arguments, then results
  mlir::Type element;
  llvm::SmallVector<int64_t, 4> shape;
  Strides strides;
  int64_t offset = 0; // of the first element, for a part of an operand

  bool isDense() const;
  /// Elements from the start of the operand to the last one.
  int64_t extent() const;
  /// A flat memref of the storage, i1 as i8.
  mlir::MemRefType storageType() const;
};

struct KernelSignature {
  llvm::SmallVector<StridedOperand> arguments, results;

  /// Reads types and `tt.strides`; reports what cannot be compiled.
  static mlir::FailureOr<KernelSignature> get(KernelOp kernel);
  unsigned numOperands() const { return arguments.size() + results.size(); }
};

/// All that an emitter needs about the kernel that it emits.
struct KernelJob {
  mutable KernelOp kernel; // a handle: its accessors are not const
  KernelSignature signature;
  const Target &target;
  std::string symbol; // without phase and target suffix
  mlir::ModuleOp module;
  llvm::SmallVector<InPlacePair> inPlace;

  YieldOp yield() const {
    return llvm::cast<YieldOp>(kernel.getBody().front().getTerminator());
  }
  mlir::Location loc() const { return kernel->getLoc(); }
  /// Operands of in-place pairs, for PhaseShell.
  llvm::SmallVector<unsigned> mayAlias() const;
  std::string phaseSymbol(llvm::StringRef phase = "") const {
    return (symbol + phase + target.suffix).str();
  }
};

/// `value` as a view of an argument: through reshape and transpose, as far as
/// its strides allow.
std::optional<StridedOperand> viewOfArgument(const KernelSignature &signature,
                                             mlir::Value value);

/// A yielded value with the storage of its result. While the value is a
/// reshape or transpose and `stop` does not hold for it, goes on to its operand
/// and lays that out in the result's storage.
struct ResultView {
  mlir::Value value;
  StridedOperand storage;
};
ResultView viewOfResult(const StridedOperand &result, mlir::Value yielded,
                        llvm::function_ref<bool(mlir::Value)> stop);

/// Row count and width of a tensor type seen as rows of its last dimension.
int64_t lastDim(mlir::Value value);

} // namespace tt::cpu

#endif // TT_LIB_LOWERING_CPU_KERNELSIGNATURE_H
