//===- Backend.h - Kernel functions to an object file -----------*- C++ -*-===//
#ifndef TT_LOWERING_CPU_BACKEND_H
#define TT_LOWERING_CPU_BACKEND_H

#include "tt/Lowering/CPU/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
}

namespace tt::cpu {

/// Adds the dialects, conversion interfaces and translations that kernel
/// modules need. Append it to the context before emitting kernels.
void registerKernelDialects(mlir::DialectRegistry &registry);

/// Lowers `module` (scf, memref, vector, arith, math, index, func, llvm) in
/// place, translates it to LLVM IR and writes a position-independent ELF
/// object for the target's level. On failure `error` says why; since kernels
/// come from our emitters, every failure is our own. Distinct modules of one
/// context may be compiled by several threads at once.
mlir::LogicalResult compileToObject(mlir::ModuleOp module, const Target &target,
                                    llvm::SmallVectorImpl<char> &object,
                                    std::string &error);

/// LLVM's x86-64 Linux code generator, position-independent, for a CPU and
/// features of LLVM's names. Null with a text on failure.
std::unique_ptr<llvm::TargetMachine> createMachine(llvm::StringRef cpu,
                                                   llvm::StringRef features,
                                                   std::string &error);

/// The first half of compileToObject: everything to the LLVM dialect.
mlir::LogicalResult lowerToLLVMDialect(mlir::ModuleOp module,
                                       std::string &error);

} // namespace tt::cpu

#endif // TT_LOWERING_CPU_BACKEND_H
