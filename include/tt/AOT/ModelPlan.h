//===- ModelPlan.h - A planned module as plain data -------------*- C++ -*-===//
//
// What the tables, the header and the manifest of a library are written from.
//
//===----------------------------------------------------------------------===//
#ifndef TT_AOT_MODELPLAN_H
#define TT_AOT_MODELPLAN_H

#include "tt/Lowering/CPU/KernelShell.h"
#include "tt/runtime/ModelTable.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace tt::aot {

struct TensorPlan {
  std::string name;
  tt_dtype dtype = TT_F32;
  std::vector<int64_t> shape;
  uint32_t region = TT_REGION_ARENA;
  uint64_t offset = 0, bytes = 0;
  uint32_t init = TT_INIT_ZERO;
  double initScale = 0;
  int64_t indexLimit = 0, indexIgnore = 0;
  double checkLow = 0, checkHigh = 0; // what a self-check fills in
};

struct LaunchPlan {
  uint32_t kernel = 0;
  std::vector<std::pair<uint32_t, uint64_t>> operands; // region, offset
  uint64_t sharedOffset = 0;
  std::string source; // "file:line" or empty
};

struct EntryPlan {
  std::string name;
  std::vector<LaunchPlan> launches;
  std::vector<TensorPlan> inputs, outputs;
  bool needsState = false;
  uint64_t arenaBytes = 0;
};

/// One kernel on every level the library holds; a level that it does not hold
/// has no phases.
struct KernelPlan {
  std::string name;
  cpu::EmittedKernel levels[TT_ISA_COUNT];
  unsigned numOperands = 0;
  uint64_t sharedBytes = 0, workerBytes = 0; // maximum over levels
};

struct ModelPlan {
  std::string name; // a C identifier
  std::string hash;
  std::vector<KernelPlan> kernels;
  std::vector<TensorPlan> parameters, states;
  std::vector<EntryPlan> entries;
  std::vector<char> constants;
  uint64_t parameterBytes = 0, stateBytes = 0, ioBytes = 0, workerBytes = 0;
  uint64_t plannedBytes = 0, gradientBytes = 0, activationBytes = 0,
           workspaceBytes = 0;
  uint32_t maxThreads = 64;
  uint32_t isaMask = 0;
  /// What the graph was compiled with, by option; for the manifest.
  std::vector<std::pair<std::string, std::string>> options;
  std::string certificate; // a JSON object, or ""
  uint64_t selfcheckSeed = 1;
  std::vector<double> projections; // of the outputs of "grad", for tt_selfcheck
};

/// What a library keeps for itself: the instance region (tt_sizes.instance_bytes) has
/// fixed + threads * perWorker bytes.
struct ControlBytes {
  uint64_t fixed, perWorker;
};
ControlBytes controlBytes(const ModelPlan &plan);
/// Bytes that tt_selfcheck wants on top of a bound instance; 0 without an entry `grad`.
uint64_t selfcheckScratchBytes(const ModelPlan &plan);

/// Reads a module as left by tt-plan-memory. `kernels` come from emission and
/// are named as the module's. Fails with a diagnostic.
llvm::LogicalResult readModelPlan(mlir::ModuleOp module,
                                  std::vector<KernelPlan> kernels,
                                  ModelPlan &plan);

/// `base` as a C identifier, as tt/runtime/Model.h forms it.
std::string toIdentifier(llvm::StringRef base);

} // namespace tt::aot

#endif
