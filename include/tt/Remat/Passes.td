#ifndef TT_REMAT_PASSES_TD
#define TT_REMAT_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckpointPass : Pass<"tt-checkpoint", "::mlir::ModuleOp"> {
  let summary = "Keep some residuals and recompute the others";
  let description = [{
    Entry: the pair `@f_fwd`/`@f_bwd` of a public `@f` as left by `tt-autodiff`,
    with or without callers. Exit: the same pair, fewer residuals, same numbers;
    callers and `tt.adjoint` follow.
    The chain is the calls in `@f_fwd` that have an adjoint call in `@f_bwd`. It
    is cut into segments; what crosses a cut is kept, and a segment is replayed
    just before its adjoint. The last segment is never replayed: its residuals
    are needed at once. Replays read activations through `tt.remat_barrier`, and
    the same random keys as the forward.
  }];
  let options = [
    Option<"function", "function", "std::string", /*default=*/"",
           "The primal; empty takes the only public one with an adjoint pair">,
    Option<"policy", "policy", "std::string", /*default=*/"\"sqrt\"",
           "none: keep all; full: every layer a segment; sqrt: cuts that give "
           "the least peak in bytes, about sqrt(n) of them">,
    Option<"segments", "segments", "int64_t", /*default=*/"0",
           "With policy=sqrt, the number of segments, equal in bytes; 0 chooses">,
  ];
  let statistics = [
    Statistic<"numDropped", "residuals-dropped", "Residuals replaced by recompute">,
    Statistic<"numReplayed", "layers-recomputed", "Layer calls run a second time">,
  ];
  let dependentDialects = ["::tt::TTDialect", "::mlir::func::FuncDialect"];
}
#endif
