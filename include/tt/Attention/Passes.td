#ifndef TT_ATTENTION_PASSES_TD
#define TT_ATTENTION_PASSES_TD

include "mlir/Pass/PassBase.td"

def TileAttentionPass : Pass<"tt-tile-attention", "::mlir::ModuleOp"> {
  let summary = "Turn attention and its adjoint into loops over tiles";
  let description = [{
    Entry: `tt.attention` and `tt.attention_bwd`, each alone in its `tt.kernel`
    or anywhere in a function. Exit: `scf.for` loops over heads, query blocks and
    key blocks, with the bounds of `TilePlan` as arith ops on the block index.
    The forward is an online softmax that keeps only output and lse, the adjoint
    makes the probabilities again from lse. No value holds two sequence lengths.
    A last block that is cut short is a tile of its own static size.

    Block sizes are the op's, or 64 queries and 128 keys. A kernel gets what an
    emitter needs to replace the loops: `numerics` (block_k, causal, scale),
    `schedule` (block_q) and `tt.roles`, see `TiledKernel.h`. Run it after
    autodiff: the loops have no derivative rules.
  }];
  let statistics = [
    Statistic<"numTiled", "tiled", "Attention ops turned into loops">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::tt::TTDialect",
  ];
}
#endif
