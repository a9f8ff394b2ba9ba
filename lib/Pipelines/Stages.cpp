//===- Stages.cpp - The order of the rooms --------------------------------===//
#include "Stages.h"

#include "tt/AD/Decompose.h"
#include "tt/AD/Passes.h"
#include "tt/Attention/Passes.h"
#include "tt/IR/SourcePlace.h"
#include "tt/Kernels/Passes.h"
#include "tt/Lowering/CPU/EmitKernel.h"
#include "tt/Memory/Passes.h"
#include "tt/Remat/Passes.h"
#include "tt/Training/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tt;

/// "FILE:LINE:COLUMN: ", without line and column for the module itself.
static std::string placeOf(Location location) {
  auto file = location->findInstanceOf<FileLineColLoc>();
  if (!file)
    return "";
  return (file.getLine() ? sourcePlace(location) : file.getFilename().str()) + ": ";
}

/// Runs the pass that `option` is for. It remarks on finding nothing to do.
static LogicalResult runOption(StringRef option, std::unique_ptr<Pass> pass, ModuleOp module,
                               const CompileOptions &options) {
  PassManager passes(module.getContext());
  passes.addPass(std::move(pass));
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Remark)
      return failure();
    if (options.warn)
      options.warn(option.str(), placeOf(diagnostic.getLocation()) + diagnostic.str());
    return success();
  });
  return passes.run(module);
}

LogicalResult tt::runAdjointStage(ModuleOp module, const CompileOptions &options) {
  nameRanges(module, options.function);
  PassManager clean(module.getContext()), passes(module.getContext());
  clean.addPass(createExpandRepeatPass());
  clean.addPass(createCanonicalizerPass());
  clean.addPass(createCSEPass());
  if (failed(clean.run(module)))
    return failure();
  if (options.lossChunks > 0) {
    FuseLossPassOptions fuse;
    fuse.chunks = options.lossChunks;
    if (failed(runOption("loss-chunks", createFuseLossPass(fuse), module, options)))
      return failure();
  }
  AutodiffPassOptions autodiff;
  autodiff.function = options.function;
  autodiff.wrt = options.wrt;
  autodiff.allowUnreached = options.wrt == "all" || options.allowUnreached;
  autodiff.unreachedHint = options.unreachedHint;
  passes.addPass(createAutodiffPass(autodiff));
  passes.addPass(createDropGradientRulesPass());
  return success(succeeded(passes.run(module)) && succeeded(runPairStage(module, options)));
}

LogicalResult tt::runPairStage(ModuleOp module, const CompileOptions &options) {
  PassManager passes(module.getContext());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  if (failed(passes.run(module)))
    return failure();
  CheckpointPassOptions checkpoint;
  checkpoint.policy = options.checkpoint;
  checkpoint.function = options.function;
  return runOption("checkpoint", createCheckpointPass(checkpoint), module, options);
}

namespace {
/// Decomposes the composite ops that the CPU has no emitter for.
struct DecomposeForTarget final
    : PassWrapper<DecomposeForTarget, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DecomposeForTarget)

  void runOnOperation() override {
    auto lacksEmitter = [](Operation *op) { return !cpu::hasEmitter(op); };
    unsigned count = 0;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(decomposeOps(function, lacksEmitter, count)))
        return signalPassFailure();
  }
};
} // namespace

/// From functions to steps; no `entries`: those of a training library.
static LogicalResult runKernelPasses(ModuleOp module, const CompileOptions &options,
                                     ArrayRef<std::string> entries,
                                     OwningOpRef<ModuleOp> *forms) {
  PassManager form(module.getContext()), rest(module.getContext());
  form.addPass(std::make_unique<DecomposeForTarget>());
  form.addPass(createCanonicalizerPass());
  form.addPass(createCSEPass());
  FormKernelsPassOptions kernels;
  kernels.fuse = options.fuse;
  kernels.schedule = options.schedule;
  form.addPass(createFormKernelsPass(kernels));
  if (failed(form.run(module)))
    return failure();
  if (forms)
    *forms = cast<ModuleOp>(module->clone());
  if (options.tileAttention)
    rest.addPass(createTileAttentionPass());
  BuildStepPassOptions step;
  step.entries.assign(entries.begin(), entries.end());
  rest.addPass(createBuildStepPass(step));
  return rest.run(module);
}

LogicalResult tt::runKernelStage(ModuleOp module, const CompileOptions &options,
                                 OwningOpRef<ModuleOp> *forms) {
  PassManager passes(module.getContext());
  InferencePassOptions inference;
  inference.function = options.function;
  passes.addPass(createInferencePass(inference));
  if (failed(passes.run(module)))
    return failure();
  BuildTrainStepPassOptions step;
  step.function = options.function;
  step.optimizer = options.optimizer;
  step.clipNorm = options.clipNorm;
  step.beta1 = options.beta1;
  step.beta2 = options.beta2;
  step.eps = options.eps;
  step.weightDecay = options.weightDecay;
  step.decay = options.decay;
  if (failed(runOption("decay", createBuildTrainStepPass(step), module, options)))
    return failure();
  return runKernelPasses(module, options, {}, forms);
}

LogicalResult tt::runEntryStage(ModuleOp module, ArrayRef<std::string> entries,
                                const CompileOptions &options) {
  PassManager passes(module.getContext());
  passes.addPass(createExpandRepeatPass());
  passes.addPass(createDropGradientRulesPass());
  if (failed(passes.run(module)))
    return failure();
  return runKernelPasses(module, options, entries, nullptr);
}

LogicalResult tt::runMemoryStage(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addPass(createPlanMemoryPass());
  return passes.run(module);
}
