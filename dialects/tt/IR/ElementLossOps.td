#ifndef TT_IR_ELEMENTLOSSOPS_TD
#define TT_IR_ELEMENTLOSSOPS_TD

include "tt/IR/LossOps.td"

def TT_MseOp : TT_InferOp<"mse", [TT_Decomposable,
    AllTypesMatch<["input", "target"]>]> {
  let summary = "Squared error";
  let description = [{
    Per element `l = (input - target)^2`, formed in f32, or f64 for f64; `mean`
    divides their sum by the number of elements (0 if there is none), `sum` does
    not, `none` gives every l. Both operands are differentiable.

    Constraints: `input` and `target` have one type.
    Residuals: `input`, `target`.
    Example: `%l = tt.mse mean %x, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>`
  }];
  let arguments = (ins TT_FloatTensor:$input, TT_FloatTensor:$target,
                       TT_Reduction:$reduction);
  let results = (outs TT_StatTensor:$loss);
  let assemblyFormat = "$reduction $input `,` $target attr-dict `:` functional-type(operands, results)";
}

def TT_KlReduction : I32EnumAttr<"KlReduction", "reduction of kl_div", [
    I32EnumAttrCase<"Mean", 0, "mean">, I32EnumAttrCase<"Sum", 1, "sum">,
    I32EnumAttrCase<"None", 2, "none">,
    I32EnumAttrCase<"BatchMean", 3, "batchmean">]> {
  let cppNamespace = "::tt";
}
def TT_KlDivOp : TT_InferOp<"kl_div", [TT_Decomposable,
    AllTypesMatch<["input", "target"]>]> {
  let summary = "Kullback-Leibler divergence of a target from log-probabilities";
  let description = [{
    `input` holds logarithms of probabilities. Per element
    `l = target (ln target - input)`, or `l = e^target (target - input)` with
    `log_target`, formed in f32, or f64 for f64. An element whose target
    probability is 0 gives l = 0 and zero gradients, whatever `input` is. `sum`
    adds all l, `batchmean` divides by the first dimension, `mean` by the number
    of elements, `none` gives every l.

    Constraints: `input` and `target` have one type; (C1) with `batchmean` they
    have a dimension.
    Residuals: `target`; `input` if `target` is active.
    Example: `%l = tt.kl_div batchmean %x, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>`
  }];
  let arguments = (ins TT_FloatTensor:$input, TT_FloatTensor:$target,
                       TT_KlReduction:$reduction, UnitAttr:$log_target);
  let results = (outs TT_StatTensor:$loss);
  let assemblyFormat = "$reduction $input `,` $target (`log_target` $log_target^)? attr-dict `:` functional-type(operands, results)";
}

def TT_BceWithLogitsOp : TT_InferOp<"bce_with_logits", [TT_Decomposable,
    AllTypesMatch<["logits", "target"]>]> {
  let summary = "Binary cross-entropy of logits";
  let description = [{
    Per element, with x = `logits`, y = `target` in [0, 1] and w = `pos_weight`
    (1 if not given), `l = (1 - y) x + (1 + (w - 1) y) ln(1 + e^-x)`, which is
    `-w y ln s(x) - (1 - y) ln(1 - s(x))`, formed in f32, or f64 for f64, without
    overflow on either side. `mean` divides by the number of elements (0 if there
    is none), `sum` does not, `none` gives every l. All operands are differentiable.

    Constraints: `logits` and `target` have one type; (C1) `pos_weight` has rank 1,
    the size of the last dimension of `logits` and its element type.
    Residuals: `logits`; `target` if `logits` or `pos_weight` is active;
    `pos_weight` if `logits` or `target` is.
    Example:
    ```mlir
    %l = tt.bce_with_logits mean %x, %y pos_weight(%w)
        : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>) -> tensor<f32>
    ```
  }];
  let arguments = (ins TT_FloatTensor:$logits, TT_FloatTensor:$target,
                       Optional<TT_FloatTensor>:$pos_weight,
                       TT_Reduction:$reduction);
  let results = (outs TT_StatTensor:$loss);
  let assemblyFormat = "$reduction $logits `,` $target (`pos_weight` `(` $pos_weight^ `)`)? attr-dict `:` functional-type(operands, results)";
}
#endif
