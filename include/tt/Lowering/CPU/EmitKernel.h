//===- EmitKernel.h - From a tt.kernel to the phases of a kernel *- C++ -*-===//
#ifndef TT_LOWERING_CPU_EMITKERNEL_H
#define TT_LOWERING_CPU_EMITKERNEL_H

#include "tt/IR/TTOps.h"
#include "tt/Lowering/CPU/KernelShell.h"
#include "tt/Lowering/CPU/Target.h"

namespace tt::cpu {

/// Emits `kernel` for `target` into the module `into` (register the dialects
/// of Backend.h first) and describes it in `emitted`. The symbols are the
/// kernel's name, `symbolSuffix` (may be empty), a phase name if there are
/// several phases, and the target's suffix; read them from `emitted`.
///
/// Operands at run time: the arguments in order, then the results in order,
/// each dense row-major unless its `tt.strides` says otherwise, i1 as a byte.
///
/// The form of the kernel follows from the ops of its body: at most one op
/// that is not elementwise (several sums over the same dimensions count as
/// one). What has no emitter is refused with a diagnostic that names it.
mlir::LogicalResult emitKernel(KernelOp kernel, const Target &target,
                               llvm::StringRef symbolSuffix,
                               mlir::ModuleOp into, EmittedKernel &emitted);

/// True if kernels can be built around `op` or with it. A composite op without an
/// emitter is to be decomposed before kernels are formed.
bool hasEmitter(mlir::Operation *op);

/// A result that may be written over an argument.
struct InPlacePair {
  unsigned result;
  unsigned argument;
};

/// The legal in-place pairs of a kernel: the two have one type and the same
/// strides, and the argument is read at a position only before the result is
/// written there. Each argument may be taken by one result. A matmul with more
/// than one K-chunk has pairs only if its schedule holds `in_place` (unit):
/// partial sums then go to the workspace.
llvm::SmallVector<InPlacePair> getInPlacePairs(KernelOp kernel);

} // namespace tt::cpu

#endif // TT_LOWERING_CPU_EMITKERNEL_H
