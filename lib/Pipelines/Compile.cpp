//===- Compile.cpp - From a graph file to a model library -----------------===//
#include "tt/Pipelines/CompileEntries.h"
#include "Certify.h"
#include "OutputFiles.h"
#include "PlanTypes.h"
#include "Stages.h"
#include "tt/AOT/Library.h"
#include "tt/Lowering/CPU/Backend.h"
#include "tt/Lowering/CPU/Target.h"
#include "tt/Pipelines/LoadModule.h"
#include "tt/Support/CheckedSize.h"

#include "tt/IR/TTOps.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace mlir;
using namespace tt;

/// The levels that --target names.
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

static void loadKernelDialects(MLIRContext &context) {
  DialectRegistry registry;
  cpu::registerKernelDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
}

static std::string printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out);
  out << "\n";
  return text;
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
  auto [fixed, perWorker] = aot::controlBytes(plan);
  memory.control = fixed;
  memory.controlPerWorker = perWorker;
  memory.selfcheckScratch = aot::selfcheckScratchBytes(plan);
  for (const aot::EntryPlan &entry : plan.entries) {
    memory.perEntry.push_back({entry.name, entry.arenaBytes});
    result.numLaunches += entry.launches.size();
  }
  result.numKernels = plan.kernels.size();
}

namespace {
/// One compile job.
class Job {
public:
  Job(const CompileOptions &options, CompileResult &result, std::string &error)
      : options(options), result(result), error(error) {}

  void say(const std::string &text) {
    if (options.progress)
      options.progress(text);
  }
  bool run();
  /// From functions that are entries as they are.
  bool runEntries(ModuleOp module, ArrayRef<std::string> entries);
  bool build(ModuleOp module, uint32_t levels);
  bool buildLibrary(ModuleOp module, uint32_t levels);
  bool planMemory(ModuleOp module, uint32_t levels, aot::KernelCompiler &compiler,
                  aot::ModelPlan &plan);
  bool runPlan(MLIRContext &context, StepPlan &plan);

private:
  bool link(const aot::ModelPlan &plan, const std::vector<aot::Object> &kernels,
            aot::Object &library);
  bool certify(ModuleOp module, aot::ModelPlan &plan,
               const std::vector<aot::Object> &kernels, aot::Object &library);

  const CompileOptions &options;
  CompileResult &result;
  std::string &error;
  std::unique_ptr<Certifier> certifier; // null: not asked for
  OwningOpRef<ModuleOp> forms;          // the kernels, for it

  bool stop(ModuleOp module, StringRef stage) {
    if (options.emit != stage)
      return false;
    result.text = printModule(module);
    return true;
  }
  /// Runs `work` and takes its diagnostics as the error.
  bool collect(MLIRContext &context, function_ref<bool()> work) {
    DiagnosticText diagnostics(context);
    bool done = work();
    if (!done && error.empty())
      error = diagnostics.text();
    if (!done && error.empty())
      error = options.input + ": internal error: a pass failed without a message";
    return done;
  }
};
} // namespace

bool Job::run() {
  auto start = std::chrono::steady_clock::now();
  if (!checkOptions(options, error))
    return false;
  MLIRContext context;
  loadGraphDialects(context);
  OwningOpRef<ModuleOp> module = loadModule(context, options.input, error);
  if (!module)
    return false;
  loadKernelDialects(context); // a graph has no ops of theirs
  bool done =
      collect(context, [&] { return build(*module, levelsOf(options.target)); });
  forms = {}; // before its context
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
                       .count();
  return done;
}

bool Job::build(ModuleOp module, uint32_t levels) {
  if (stop(module, "tt"))
    return true;
  if (failed(checkEntry(module, options.function)) ||
      failed(checkLoss(module, options.function, options.emit != "adjoint")))
    return false;
  if (options.certify) {
    certifier = std::make_unique<Certifier>(options, levels);
    if (!certifier->checkTwin(module, error))
      return false;
  }
  if (failed(runAdjointStage(module, options)))
    return false;
  if (stop(module, "adjoint"))
    return true;
  say("differentiated");
  if (failed(runKernelStage(module, options, certifier ? &forms : nullptr)))
    return false;
  return buildLibrary(module, levels);
}

bool Job::runEntries(ModuleOp module, ArrayRef<std::string> entries) {
  if (!checkOptions(options, error))
    return false;
  loadKernelDialects(*module.getContext());
  return collect(*module.getContext(), [&] {
    auto hasRanks = [&](const std::string &name) {
      auto entry = module.lookupSymbol<func::FuncOp>(name);
      return !entry || succeeded(checkRanks(entry));
    };
    return succeeded(checkNotEmpty(module)) && llvm::all_of(entries, hasRanks) &&
           succeeded(runEntryStage(module, entries, options)) &&
           buildLibrary(module, levelsOf(options.target));
  });
}

/// From steps to addresses.
bool Job::planMemory(ModuleOp module, uint32_t levels, aot::KernelCompiler &compiler,
                     aot::ModelPlan &plan) {
  plan.options = compileOptionTexts(options);
  plan.selfcheckSeed = options.certifySeed;
  if (failed(planLibrary(module, options, levels,
                         llvm::sys::path::filename(options.output), compiler, plan)))
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
  return true;
}

/// From steps to the three files.
bool Job::buildLibrary(ModuleOp module, uint32_t levels) {
  if (stop(module, "kernels"))
    return true;
  aot::KernelCompiler compiler(module, levels, options.objects);
  aot::ModelPlan plan;
  if (!planMemory(module, levels, compiler, plan))
    return false;
  if (stop(module, "memory"))
    return true;
  if (options.acceptTypes && !options.acceptTypes(typesOf(plan, options.input), error))
    return false;
  fillReport(plan, result);
  say("planned memory");

  std::vector<aot::Object> objects;
  auto progress = [&](unsigned done, unsigned all) {
    say("kernels " + std::to_string(done) + "/" + std::to_string(all));
  };
  if (!compiler.compile(llvm::hardware_concurrency().compute_thread_count(), objects, error,
                        progress, options.isCancelled))
    return false;
  result.library = options.output + ".so";
  result.header = options.output + ".h";
  result.manifest = options.output + ".json";
  aot::Object library;
  if (!link(plan, objects, library) ||
      (certifier && !certify(module, plan, objects, library)))
    return false;
  if (!OutputFiles(options.output)
           .write(StringRef(library.data(), library.size()), aot::emitHeader(plan),
                  aot::emitManifest(plan), error)) {
    error = "error: " + error;
    return false;
  }
  say("linked " + result.library);
  return true;
}

/// Links the objects of the kernels with fresh tables.
bool Job::link(const aot::ModelPlan &plan, const std::vector<aot::Object> &kernels,
               aot::Object &library) {
  std::vector<aot::Object> objects = kernels;
  objects.emplace_back();
  if (aot::emitTables(plan, objects.back(), error) &&
      aot::linkLibrary(objects, llvm::sys::path::filename(result.library), library, error))
    return true;
  error = "error: " + error;
  return false;
}

/// The parts of the certificate that need the library. Runs the self-check once
/// to learn its numbers, links them in, and again from the library that is
/// shipped.
bool Job::certify(ModuleOp module, aot::ModelPlan &plan,
                  const std::vector<aot::Object> &kernels, aot::Object &library) {
  if (!certifier->checkKernels(*forms, module, library, plan.name, error))
    return false;
  if (!certifier->recordSelfcheck(library, plan.name, plan.projections, error) ||
      !link(plan, kernels, library) ||
      !certifier->checkSelfcheck(library, plan.name, error))
    return false;
  plan.certificate = certifier->certificate().json();
  return true;
}

/// The steps of a training library twice: as compiled, and with attention whole.
bool Job::runPlan(MLIRContext &context, StepPlan &plan) {
  DialectRegistry registry;
  cpu::registerKernelDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  loadGraphDialects(context);
  plan.module = loadModule(context, options.input, error);
  uint32_t levels = levelsOf(options.target);
  if (!plan.module || !checkOptions(options, error))
    return false;
  CompileOptions untiled = options;
  untiled.tileAttention = false;
  return collect(context, [&] {
    if (failed(checkEntry(*plan.module, options.function)) ||
        failed(checkLoss(*plan.module, options.function, /*isTrained=*/true)))
      return false;
    plan.untiled = plan.module->clone(); // with its metrics detached
    aot::KernelCompiler compiler(*plan.module, levels);
    aot::ModelPlan model;
    bool done = succeeded(runAdjointStage(*plan.module, options)) &&
                succeeded(runKernelStage(*plan.module, options)) &&
                planMemory(*plan.module, levels, compiler, model) &&
                succeeded(runAdjointStage(*plan.untiled, untiled)) &&
                succeeded(runKernelStage(*plan.untiled, untiled));
    plan.hash = model.hash;
    return done;
  });
}

bool tt::planModel(MLIRContext &context, const CompileOptions &options, StepPlan &plan,
                   std::string &error) {
  CompileOptions textOnly = options;
  textOnly.emit = "memory"; // writes no file
  CompileResult unused;
  return Job(textOnly, unused, error).runPlan(context, plan);
}

bool tt::compileModel(const CompileOptions &options, CompileResult &result,
                      std::string &error) {
  return Job(options, result, error).run();
}

bool tt::compileEntries(ModuleOp module, const std::vector<std::string> &entries,
                        const CompileOptions &options, CompileResult &result,
                        std::string &error) {
  return Job(options, result, error).runEntries(module, entries);
}

bool tt::differentiate(ModuleOp module, const CompileOptions &options, std::string &error) {
  DiagnosticText diagnostics(*module.getContext());
  if (succeeded(runAdjointStage(module, options)))
    return true;
  error = diagnostics.text();
  return false;
}
