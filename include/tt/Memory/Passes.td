#ifndef TT_MEMORY_PASSES_TD
#define TT_MEMORY_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanMemoryPass : Pass<"tt-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Give every buffer of every step its address";
  let description = [{
    Entry: `tt.step`s as left by `tt-build-step`; kernels may carry
    `workspace_bytes`, `worker_bytes` and `in_place` (pairs of result and
    argument numbers). Exit: every `tt.buffer` has an offset in its region, every
    launch of a kernel with a workspace has one, and the module carries
    `tt.memory` with the sizes. The steps share one arena. The plan is checked by
    a verifier of its own before it is accepted.
  }];
  let statistics = [
    Statistic<"arenaBytes", "arena-bytes", "Planned bytes of the arena">,
    Statistic<"maxLiveBytes", "max-live-bytes", "Lower bound: most bytes alive at once">,
    Statistic<"numShared", "in-place", "Results written over an argument">,
  ];
  let dependentDialects = ["::tt::TTDialect"];
}
#endif
