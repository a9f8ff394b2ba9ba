//===- Compile.cpp - From a graph file to a model library -----------------===//
#include "tt/Pipelines/Compile.h"
#include "Stages.h"
#include "tt/AOT/Library.h"
#include "tt/Lowering/CPU/Backend.h"
#include "tt/Lowering/CPU/Target.h"
#include "tt/Pipelines/LoadModule.h"
#include "tt/Support/CheckedSize.h"
#include "tt/runtime/AtomicFile.h"

#include "tt/IR/TTOps.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace mlir;
using namespace tt;

/// The levels that --target names, or 0.
static uint32_t levelsOf(StringRef target) {
  const uint32_t v3 = 1u << TT_ISA_V3, v4 = 1u << TT_ISA_V4;
  uint32_t native = cpu::hostSupports(cpu::getTarget(TT_ISA_V4)) ? v4 : v3;
  return llvm::StringSwitch<uint32_t>(target)
      .Case("cpu", v3 | v4)
      .Case("cpu:x86-64-v3", v3)
      .Case("cpu:x86-64-v4", v4)
      .Case("cpu:native", native)
      .Default(0);
}

static std::string printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out);
  out << "\n";
  return text;
}

namespace {
/// The three files of a library: all are written before the first is put in
/// place, so that a full disk leaves what was there.
class OutputFiles {
public:
  explicit OutputFiles(const std::string &base) : base(base) {}

  /// Whether files can be made there; long before there is something to write.
  bool probe(std::string &error) {
    bool isOpen = files[0].open((base + ".so").c_str(), sink());
    files[0].abandon();
    return isOpen || fail(error);
  }
  bool write(StringRef library, StringRef header, StringRef manifest, std::string &error) {
    const std::pair<const char *, StringRef> parts[] = {
        {".so", library}, {".h", header}, {".json", manifest}};
    for (auto [file, part] : llvm::zip(files, parts))
      if (!file.open((base + part.first).c_str(), sink()) ||
          !file.write(part.second.data(), part.second.size(), sink()))
        return fail(error);
    for (runtime::AtomicFile &file : files)
      if (!file.commit(sink()))
        return fail(error);
    return true;
  }

private:
  runtime::ErrorText sink() { return {problem, sizeof problem}; }
  bool fail(std::string &error) {
    error = problem;
    return false;
  }

  const std::string &base;
  runtime::AtomicFile files[3];
  char problem[512] = {};
};
} // namespace

static void fillReport(const aot::ModelPlan &plan, CompileResult &result) {
  MemoryReport &memory = result.memory;
  memory.parameters = plan.parameterBytes;
  memory.state = plan.stateBytes;
  memory.gradients = plan.gradientBytes;
  memory.activations = plan.activationBytes;
  memory.workspace = plan.workspaceBytes;
  memory.io = plan.ioBytes;
  memory.workerBytes = plan.workerBytes;
  memory.peakArena = plan.plannedBytes;
  for (const aot::EntryPlan &entry : plan.entries) {
    memory.perEntry.push_back({entry.name, entry.arenaBytes});
    result.numLaunches += entry.launches.size();
  }
  result.numKernels = plan.kernels.size();
}

namespace {
/// One compile job.
struct Job {
  const CompileOptions &options;
  CompileResult &result;
  std::string &error;

  void say(const std::string &text) {
    if (options.progress)
      options.progress(text);
  }
  bool run();
  bool check();
  bool build(ModuleOp module, uint32_t levels);
};
} // namespace

bool Job::check() {
  static const char *const stages[] = {"tt", "adjoint", "kernels", "memory", "so"};
  if (!llvm::is_contained(stages, StringRef(options.emit))) {
    error = "error: expected --emit to be tt, adjoint, kernels, memory or so, but got '" +
            options.emit + "'";
    return false;
  }
  if (!levelsOf(options.target)) {
    error = "error: expected --target to be cpu, cpu:x86-64-v3, cpu:x86-64-v4 or "
            "cpu:native, but got '" + options.target + "'";
    return false;
  }
  if (options.maxThreads < 1 || options.maxThreads > 256) {
    error = "error: expected --max-threads in [1, 256], but got " +
            std::to_string(options.maxThreads);
    return false;
  }
  if (!llvm::is_contained({"none", "full", "sqrt"}, StringRef(options.checkpoint))) {
    error = "error: expected --checkpoint to be none, full or sqrt, but got '" +
            options.checkpoint + "'";
    return false;
  }
  if (options.optimizer != "adamw") {
    error = "error: expected --optimizer to be adamw, but got '" + options.optimizer + "'";
    return false;
  }
  if (options.emit != "so")
    return true;
  StringRef name = StringRef(options.output).rsplit('/').second;
  if (!StringRef(options.output).contains('/'))
    name = options.output;
  if (name.empty() || name == "." || name == "..") {
    error = "error: expected -o DIR/NAME, but got '" + options.output + "'";
    return false;
  }
  if (OutputFiles(options.output).probe(error))
    return true;
  error = "error: " + error;
  return false;
}

bool Job::run() {
  auto start = std::chrono::steady_clock::now();
  if (!check())
    return false;
  DialectRegistry registry;
  cpu::registerKernelDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  loadGraphDialects(context);
  OwningOpRef<ModuleOp> module = loadModule(context, options.input, error);
  if (!module)
    return false;
  bool done;
  {
    DiagnosticText diagnostics(context);
    done = build(*module, levelsOf(options.target));
    if (!done && error.empty())
      error = diagnostics.text();
    if (!done && error.empty())
      error = options.input + ": internal error: a pass failed without a message";
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
                       .count();
  return done;
}

bool Job::build(ModuleOp module, uint32_t levels) {
  auto stop = [&](StringRef stage) {
    if (options.emit != stage)
      return false;
    result.text = printModule(module);
    return true;
  };
  if (stop("tt"))
    return true;
  if (failed(checkEntry(module, options.function)))
    return false;
  if (failed(runAdjointStage(module, options)))
    return false;
  if (stop("adjoint"))
    return true;
  say("differentiated");
  if (failed(runKernelStage(module, options)))
    return false;
  if (stop("kernels"))
    return true;

  aot::KernelCompiler compiler(module, levels);
  std::vector<aot::KernelPlan> kernels;
  if (failed(compiler.emit(kernels)) || failed(runMemoryStage(module)))
    return false;
  if (stop("memory"))
    return true;
  aot::ModelPlan plan;
  plan.name = aot::toIdentifier(llvm::sys::path::filename(options.output));
  plan.maxThreads = options.maxThreads;
  plan.isaMask = levels;
  if (failed(aot::readModelPlan(module, std::move(kernels), plan)))
    return false;
  support::CheckedSize total;
  for (uint64_t bytes : {plan.parameterBytes, plan.stateBytes, plan.plannedBytes})
    total += support::CheckedSize::fromUnsigned(bytes);
  if (!total.isArenaBytes()) {
    module.emitError() << "expected parameters, optimizer state and arena of at most 2^47 "
                          "bytes together, but got "
                       << total.value();
    return false;
  }
  fillReport(plan, result);
  say("planned memory");

  std::vector<aot::Object> objects;
  aot::Object tables;
  auto progress = [&](unsigned done, unsigned all) {
    say("kernels " + std::to_string(done) + "/" + std::to_string(all));
  };
  if (!compiler.compile(llvm::hardware_concurrency().compute_thread_count(), objects, error,
                        progress) ||
      !aot::emitTables(plan, tables, error))
    return false;
  objects.push_back(std::move(tables));
  result.library = options.output + ".so";
  result.header = options.output + ".h";
  result.manifest = options.output + ".json";
  aot::Object library;
  StringRef soname = llvm::sys::path::filename(result.library);
  if (!aot::linkLibrary(objects, soname, library, error) ||
      !OutputFiles(options.output)
           .write(StringRef(library.data(), library.size()), aot::emitHeader(plan),
                  aot::emitManifest(plan), error)) {
    error = "error: " + error;
    return false;
  }
  say("linked " + result.library);
  return true;
}

bool tt::compileModel(const CompileOptions &options, CompileResult &result,
                      std::string &error) {
  return Job{options, result, error}.run();
}
