//===- Library.h - Objects, tables, header, manifest ------------*- C++ -*-===//
#ifndef TT_AOT_LIBRARY_H
#define TT_AOT_LIBRARY_H

#include "tt/AOT/ModelPlan.h"
#include "tt/AOT/ObjectCache.h"

#include "tt/IR/TTOps.h"

#include "llvm/ADT/SmallVector.h"

#include <functional>

namespace tt::aot {

/// Emits every kernel of `module` for the levels of `isaMask` and compiles
/// them, on `threads` threads. Writes `workspace_bytes`, `worker_bytes` and
/// `in_place` on the kernels, for memory planning. `progress` gets (done, all). What
/// `cache` has is not compiled again; it may be null.
class KernelCompiler {
public:
  KernelCompiler(mlir::ModuleOp module, uint32_t isaMask, ObjectCache *cache = nullptr);

  /// Emission; fast. Fails with a diagnostic.
  llvm::LogicalResult emit(std::vector<KernelPlan> &plans);

  /// Compilation; slow. False with `error` set on an internal failure, or when
  /// `isCancelled` says so between two kernels. Both functions may be empty.
  bool compile(unsigned threads, std::vector<Object> &objects, std::string &error,
               const std::function<void(unsigned, unsigned)> &progress,
               const std::function<bool()> &isCancelled);

private:
  struct Unit {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    unsigned isa;
    std::string code; // the key in the cache
  };
  llvm::LogicalResult emitLevel(KernelOp kernel, unsigned isa, cpu::EmittedKernel &emitted);
  llvm::LogicalResult emitCached(KernelOp kernel, unsigned isa,
                                 cpu::EmittedKernel &emitted);

  mlir::ModuleOp source;
  uint32_t isaMask;
  ObjectCache *cache;
  std::vector<Unit> units;
  std::vector<Object> ready;                       // from the cache
  llvm::StringMap<cpu::EmittedKernel> emittedCode; // of this library, by code
};

/// The constant tables and NAME_model, as an object.
bool emitTables(const ModelPlan &plan, Object &object, std::string &error);

/// NAME.h: the C ABI, named constants and typed wrappers of the entries.
std::string emitHeader(const ModelPlan &plan);

/// NAME.json: parameters, entries, memory and what built it.
std::string emitManifest(const ModelPlan &plan);

/// Links objects and the runtime archive into a shared library, whose bytes
/// are returned. `soname` is its file name.
bool linkLibrary(const std::vector<Object> &objects, llvm::StringRef soname,
                 Object &library, std::string &error);

} // namespace tt::aot

#endif
