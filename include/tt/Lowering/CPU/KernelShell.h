//===- KernelShell.h - The function around a kernel phase -------*- C++ -*-===//
//
// An emitter builds one PhaseShell per phase, takes memrefs and the task from
// it, emits its loops with builder() and calls finish():
//
//   PhaseShell shell(module, loc, (name + target.suffix).str(), /*operands=*/2);
//   Value x = shell.operand(0, MemRefType::get({1024, 768}, f32));
//   Value y = shell.operand(1, MemRefType::get({1024, 768}, f32));
//   OpBuilder &b = shell.builder();
//   ... scf / memref / vector / arith / math, indexed by shell.task() ...
//   kernel.phases.push_back(shell.finish(/*tasks=*/32));
//
// The result is a pair of functions: the exported `symbol` with the signature
// of tt_kernel_fn, which loads the operand pointers, and a private body that
// takes them as `noalias` arguments, so that LLVM can hoist and vectorise.
//
//===----------------------------------------------------------------------===//
#ifndef TT_LOWERING_CPU_KERNELSHELL_H
#define TT_LOWERING_CPU_KERNELSHELL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>

namespace tt::cpu {

/// One phase as the model table needs it.
struct EmittedPhase {
  std::string symbol;
  int64_t tasks = 1;
};

/// One kernel at one level. The runtime does, for each iteration in
/// [0, repeat), for each phase: all tasks, then a barrier.
struct EmittedKernel {
  llvm::SmallVector<EmittedPhase, 2> phases;
  int64_t repeat = 1;
  int64_t sharedBytes = 0;
  int64_t workerBytes = 0;
};

class PhaseShell {
public:
  /// Opens the phase functions in `module`. `mayAlias` lists the operands that
  /// can overlap another operand of the list while one of the two is written
  /// (in-place pairs: name both); all others become `noalias`. An operand that
  /// is only read may be passed twice without being listed.
  PhaseShell(mlir::ModuleOp module, mlir::Location loc, llvm::StringRef symbol,
             unsigned numOperands, llvm::ArrayRef<unsigned> mayAlias = {});

  /// Inserts at the end of the body; an emitter may move and restore it.
  mlir::OpBuilder &builder() { return bodyBuilder; }
  mlir::Location getLoc() const { return loc; }

  /// The task and the iteration of the phase list, of type index.
  mlir::Value task() const { return taskIndex; }
  mlir::Value iteration() const { return iterationIndex; }

  /// Operand `number` as a memref. The type has static shape, static strides
  /// and offset 0 (the pointer is the first element). Made in the entry block,
  /// so it may be asked for anywhere; the same question gets the same value.
  mlir::Value operand(unsigned number, mlir::MemRefType type);

  /// Scratch at a byte offset from the launch's workspace or the worker's.
  mlir::Value shared(int64_t byteOffset, mlir::MemRefType type);
  mlir::Value worker(int64_t byteOffset, mlir::MemRefType type);

  /// Shorthands for constants in the entry block.
  mlir::Value index(int64_t value);

  /// Ends the body with a return and names the phase.
  EmittedPhase finish(int64_t tasks);

private:
  struct View {
    mlir::Value pointer;
    int64_t byteOffset;
    mlir::MemRefType type;
    mlir::Value memref;
  };
  mlir::Value makeView(mlir::Value pointer, int64_t byteOffset,
                       mlir::MemRefType type);

  mlir::Location loc;
  mlir::OpBuilder bodyBuilder;
  mlir::OpBuilder entryBuilder; // before the first op of the loops
  mlir::func::FuncOp body;
  std::string symbol;
  unsigned numOperands;
  mlir::Value taskIndex, iterationIndex;
  llvm::SmallVector<View> views;
  llvm::SmallVector<std::pair<int64_t, mlir::Value>> constants;
};

/// Rounds a byte count up to kAlignment, for laying out scratch.
int64_t alignBytes(int64_t bytes);

} // namespace tt::cpu

#endif // TT_LOWERING_CPU_KERNELSHELL_H
