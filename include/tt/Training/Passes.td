#ifndef TT_TRAINING_PASSES_TD
#define TT_TRAINING_PASSES_TD

include "mlir/Pass/PassBase.td"

def BuildTrainStepPass : Pass<"tt-build-train-step", "::mlir::ModuleOp"> {
  let summary = "Build the training step and the gradient entry";
  let description = [{
    Entry: a loss `@f` with its pair `@f_fwd`/`@f_bwd` as left by
    `tt-autodiff{wrt=params}`: its one result, or of several the one with
    `tt.output = "loss"`; the others are metrics, behind `tt.stop_gradient`.
    Exit: two public functions more.
    `@train_step` takes f's arguments, two moments per trainable parameter
    (`tt.state`), and the inputs `learning_rate`, `step` (from 1) and `seed`;
    it returns the new parameters and moments (`tt.updates`) and the outputs
    `loss`, `grad_norm`, `clip`, `skipped` and f's metrics under their names.
    Order: gradients, global norm, clip, AdamW; a non-finite norm skips the
    update. `@grad` returns the loss, `grad:NAME` for each trainable parameter,
    and the metrics.
    An input `key` of f is formed from seed and step.
  }];
  let options = [
    Option<"function", "function", "std::string", /*default=*/"",
           "The loss; empty takes the only one with an adjoint pair">,
    Option<"optimizer", "optimizer", "std::string", /*default=*/"\"adamw\"",
           "adamw">,
    Option<"clipNorm", "clip-norm", "double", /*default=*/"1.0",
           "Largest global norm of the gradient; 0 does not clip">,
    Option<"beta1", "beta1", "double", /*default=*/"0.9", "First moment's decay">,
    Option<"beta2", "beta2", "double", /*default=*/"0.95", "Second moment's decay">,
    Option<"eps", "eps", "double", /*default=*/"1e-8", "Added to the root">,
    Option<"weightDecay", "weight-decay", "double", /*default=*/"0.1",
           "Decoupled weight decay per unit of learning rate">,
    Option<"decay", "decay", "std::string", /*default=*/"\"rank2\"",
           "Which parameters decay: rank2 (rank >= 2), all, none, or re:REGEX "
           "on the name">,
  ];
  let dependentDialects = ["::tt::TTDialect", "::mlir::func::FuncDialect"];
}

def FuseLossPass : Pass<"tt-fuse-loss", "::mlir::ModuleOp"> {
  let summary = "Join a linear head and its cross-entropy";
  let description = [{
    Entry: functions of tt ops, before `tt-autodiff`. Exit: the same functions, in
    which a `tt.cross_entropy` whose logits come from a `tt.linear`, directly or
    through a reshape of the rows, and are read by nothing else, is one
    `tt.linear_cross_entropy`. A loss of fewer rows than `chunks` gets one chunk per
    row.
  }];
  let options = [Option<"chunks", "chunks", "int64_t", /*default=*/"8",
                        "Number of runs of rows whose logits exist at a time">];
  let statistics = [Statistic<"numFused", "losses-fused", "Losses joined with their head">];
  let dependentDialects = ["::tt::TTDialect", "::mlir::func::FuncDialect"];
}

def InferencePass : Pass<"tt-inference", "::mlir::ModuleOp"> {
  let summary = "Build the entries that evaluate and that give logits";
  let description = [{
    Entry: a loss `@f`. Exit: `@eval` returns f's results with dropout removed,
    the loss as `loss`;
    `@logits` takes f's parameters and the inputs that the logits need, and
    `position`, and returns the row of logits at that position of the last but
    one dimension; everything after the last layer runs on that row only.
    `@logits` is left out, with a remark, when f has no tt.cross_entropy.
  }];
  let options = [
    Option<"function", "function", "std::string", /*default=*/"",
           "The loss; empty takes the only public function">,
  ];
  let dependentDialects = ["::tt::TTDialect", "::mlir::func::FuncDialect"];
}
#endif
