//===- Compile.cpp - From a graph file to a model library -----------------===//
#include "tt/Pipelines/Compile.h"
#include "Stages.h"
#include "tt/AOT/Library.h"
#include "tt/Lowering/CPU/Backend.h"
#include "tt/Lowering/CPU/Target.h"
#include "tt/Pipelines/LoadModule.h"
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

static bool writeText(const std::string &path, StringRef text, std::string &error) {
  char problem[512] = {};
  runtime::ErrorText sink{problem, sizeof problem};
  runtime::AtomicFile file;
  if (file.open(path.c_str(), sink) && file.write(text.data(), text.size(), sink) &&
      file.commit(sink))
    return true;
  error = problem;
  return false;
}

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
  if (options.emit == "so" && llvm::sys::path::filename(options.output).empty()) {
    error = "error: expected -o DIR/NAME, but got '" + options.output + "'";
    return false;
  }
  return true;
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
  if (!aot::linkLibrary(objects, result.library, error) ||
      !writeText(result.header, aot::emitHeader(plan), error) ||
      !writeText(result.manifest, aot::emitManifest(plan), error)) {
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
