//===- Stages.cpp - The order of the rooms --------------------------------===//
#include "Stages.h"

#include "tt/AD/Passes.h"
#include "tt/Attention/Passes.h"
#include "tt/Kernels/Passes.h"
#include "tt/Memory/Passes.h"
#include "tt/Remat/Passes.h"
#include "tt/Training/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tt;

LogicalResult tt::runAdjointStage(ModuleOp module, const CompileOptions &options) {
  PassManager passes(module.getContext());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  AutodiffPassOptions autodiff;
  autodiff.function = options.function;
  passes.addPass(createAutodiffPass(autodiff));
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  CheckpointPassOptions checkpoint;
  checkpoint.policy = options.checkpoint;
  checkpoint.function = options.function;
  passes.addPass(createCheckpointPass(checkpoint));
  return passes.run(module);
}

LogicalResult tt::runKernelStage(ModuleOp module, const CompileOptions &options) {
  PassManager passes(module.getContext());
  InferencePassOptions inference;
  inference.function = options.function;
  passes.addPass(createInferencePass(inference));
  BuildTrainStepPassOptions step;
  step.function = options.function;
  step.optimizer = options.optimizer;
  step.clipNorm = options.clipNorm;
  step.beta1 = options.beta1;
  step.beta2 = options.beta2;
  step.eps = options.eps;
  step.weightDecay = options.weightDecay;
  step.decay = options.decay;
  passes.addPass(createBuildTrainStepPass(step));
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  FormKernelsPassOptions kernels;
  kernels.fuse = options.fuse;
  kernels.schedule = options.schedule;
  passes.addPass(createFormKernelsPass(kernels));
  passes.addPass(createTileAttentionPass());
  passes.addPass(createBuildStepPass());
  return passes.run(module);
}

LogicalResult tt::runMemoryStage(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addPass(createPlanMemoryPass());
  return passes.run(module);
}
