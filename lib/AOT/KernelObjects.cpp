//===- KernelObjects.cpp - Kernels to object files ------------------------===//
#include "tt/AOT/Library.h"

#include "tt/IR/TTOps.h"
#include "tt/Lowering/CPU/Backend.h"
#include "tt/Lowering/CPU/EmitKernel.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/ThreadPool.h"

#include <atomic>
#include <mutex>

using namespace mlir;
using namespace tt;
using namespace tt::aot;

KernelCompiler::KernelCompiler(ModuleOp module, uint32_t isaMask, ObjectCache *cache)
    : source(module), isaMask(isaMask), cache(cache) {}

/// The code of a kernel by another name.
static LogicalResult emitAs(const std::string &name, KernelOp kernel, unsigned isa,
                            ModuleOp into, cpu::EmittedKernel &emitted) {
  std::string own = kernel.getSymName().str();
  kernel.setSymName(name);
  LogicalResult done = cpu::emitKernel(kernel, cpu::getTarget(isa), "", into, emitted);
  kernel.setSymName(own);
  return done;
}

/// The key is all that is compiled: the code with a fixed name, and the level.
LogicalResult KernelCompiler::emitCached(KernelOp kernel, unsigned isa,
                                         cpu::EmittedKernel &emitted) {
  OwningOpRef<ModuleOp> nameless = ModuleOp::create(kernel.getLoc());
  if (failed(emitAs("kernel", kernel, isa, *nameless, emitted)))
    return failure();
  std::string code = std::to_string(isa) + "\n";
  llvm::raw_string_ostream out(code);
  nameless->print(out, OpPrintingFlags().assumeVerified().useLocalScope());
  auto [known, isNew] = emittedCode.try_emplace(code);
  if (!isNew) {
    emitted = known->second;
    return success();
  }
  if (const ObjectCache::Entry *entry = cache->find(code)) {
    ready.push_back(entry->object);
    emitted = known->second = entry->emitted;
    return success();
  }
  Unit unit{ModuleOp::create(kernel.getLoc()), isa, code};
  if (failed(emitAs(cache->newName(), kernel, isa, *unit.module, emitted)))
    return failure();
  known->second = emitted;
  units.push_back(std::move(unit));
  return success();
}

LogicalResult KernelCompiler::emitLevel(KernelOp kernel, unsigned isa,
                                        cpu::EmittedKernel &emitted) {
  if (cache)
    return emitCached(kernel, isa, emitted);
  Unit unit{ModuleOp::create(kernel.getLoc()), isa, ""};
  if (failed(cpu::emitKernel(kernel, cpu::getTarget(isa), "", *unit.module, emitted)))
    return failure();
  units.push_back(std::move(unit));
  return success();
}

LogicalResult KernelCompiler::emit(std::vector<KernelPlan> &plans) {
  Builder b(source.getContext());
  for (KernelOp kernel : source.getOps<KernelOp>()) {
    KernelPlan plan;
    plan.name = kernel.getSymName().str();
    plan.numOperands = kernel.getNumArguments() + kernel.getNumResults();
    for (unsigned isa = 0; isa < TT_ISA_COUNT; ++isa) {
      if (!(isaMask & (1u << isa)))
        continue;
      cpu::EmittedKernel &emitted = plan.levels[isa];
      if (failed(emitLevel(kernel, isa, emitted)))
        return failure();
      plan.sharedBytes = std::max<uint64_t>(plan.sharedBytes, emitted.sharedBytes);
      plan.workerBytes = std::max<uint64_t>(plan.workerBytes, emitted.workerBytes);
    }
    kernel->setAttr("workspace_bytes", b.getI64IntegerAttr(plan.sharedBytes));
    kernel->setAttr("worker_bytes", b.getI64IntegerAttr(plan.workerBytes));
    SmallVector<Attribute> pairs;
    for (cpu::InPlacePair pair : cpu::getInPlacePairs(kernel))
      pairs.push_back(b.getDenseI64ArrayAttr({pair.result, pair.argument}));
    if (!pairs.empty())
      kernel->setAttr("in_place", b.getArrayAttr(pairs));
    plans.push_back(std::move(plan));
  }
  return success();
}

bool KernelCompiler::compile(unsigned threads, std::vector<Object> &objects,
                             std::string &error,
                             const std::function<void(unsigned, unsigned)> &progress,
                             const std::function<bool()> &isCancelled) {
  objects.resize(units.size());
  // A pass manager loads the dialects its passes depend on, which no other
  // thread may watch: let an empty module load them all first.
  OwningOpRef<ModuleOp> empty(ModuleOp::create(source.getLoc()));
  if (failed(cpu::lowerToLLVMDialect(*empty, error)))
    return false;
  std::mutex mutex;
  std::atomic<bool> broken{false};
  unsigned done = 0;
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
  for (size_t i = 0; i < units.size(); ++i)
    pool.async([&, i] {
      if (broken || (isCancelled && isCancelled()))
        return;
      std::string problem;
      llvm::SmallVector<char> bytes;
      bool ok = succeeded(cpu::compileToObject(
          *units[i].module, cpu::getTarget(units[i].isa), bytes, problem));
      objects[i].assign(bytes.begin(), bytes.end());
      std::lock_guard<std::mutex> lock(mutex);
      if (!ok && !broken.exchange(true))
        error = "internal error: kernel code generation: " + problem;
      if (progress)
        progress(++done, units.size());
    });
  pool.wait();
  if (!broken && isCancelled && isCancelled()) {
    error = "cancelled";
    broken = true;
  }
  for (size_t i = 0; cache && !broken && i < units.size(); ++i)
    cache->insert(units[i].code, {emittedCode[units[i].code], objects[i]});
  llvm::append_range(objects, ready);
  units.clear();
  return !broken;
}
