#ifndef TT_IR_LOSSOPS_TD
#define TT_IR_LOSSOPS_TD

include "tt/IR/TTBase.td"

def TT_Reduction : I32EnumAttr<"Reduction", "reduction of a loss", [
    I32EnumAttrCase<"Mean", 0, "mean">, I32EnumAttrCase<"Sum", 1, "sum">,
    I32EnumAttrCase<"None", 2, "none">]> {
  let cppNamespace = "::tt";
}

// How the rows of cross_entropy become a loss; shared by the op and its adjoint.
defvar TT_CrossEntropyAttrs = (ins TT_Reduction:$reduction,
    DefaultValuedAttr<I64Attr, "-100">:$ignore_index,
    DefaultValuedAttr<F64Attr, "::llvm::APFloat(0.0)">:$label_smoothing,
    DefaultValuedAttr<F64Attr, "::llvm::APFloat(0.0)">:$z_loss);

def TT_CrossEntropyOp : TT_InferOp<"cross_entropy", [TT_Decomposable]> {
  let summary = "Cross-entropy of logits against class ids";
  let description = [{
    Per row, with t the target, w = `weights` (all 1 if not given), s =
    `label_smoothing` and `lse = ln sum e^logits`,
    `l = (1 - s) w[t] (lse - logits[t]) + s/V sum_c w[c] (lse - logits[c]) +
    z_loss w[t] lse^2`; without these attributes `l = lse - logits[t]`. A row
    whose target is `ignore_index`, or lies outside [0, V), counts nothing: its l
    and its gradient are 0, whatever its logits are. `mean` divides the sum by
    the sum of w[t] over the counted rows, which is their number without weights
    (which counts as 1 if it is 0: loss 0), `sum` does not, `none` gives one loss
    per row. Loss and lse are f32, or f64 for f64. NaN or +inf logits of a counted
    row give a loss that is not finite; a counted row of -inf alone has lse -inf
    and loss NaN.
    `logits` and `weights` are differentiable.

    Constraints: (C1) `logits` has the shape of `targets` and one dimension more;
    (C2) `weights` has rank 1, the size of the last dimension of `logits` and its
    element type; (C3) `label_smoothing` is in [0, 1]; (C4) `z_loss` is finite,
    also in the loss's type, and not negative.
    Residuals: `logits`, `lse`; `targets`, `weights` for the loss's cotangent;
    `loss` if `weights` is active and the loss a mean.
    Example:
    ```mlir
    %loss, %lse = tt.cross_entropy mean %logits, %targets
        : (tensor<2x4x65xf32>, tensor<2x4xi32>) -> (tensor<f32>, tensor<2x4xf32>)
    ```
  }];
  let arguments = !con((ins TT_FloatTensor:$logits, TT_IndexTensor:$targets,
                            Optional<TT_FloatTensor>:$weights),
                       TT_CrossEntropyAttrs);
  let results = (outs TT_StatTensor:$loss, TT_StatTensor:$lse);
  let assemblyFormat = "$reduction $logits `,` $targets (`weights` `(` $weights^ `)`)? attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// True without weights, smoothing and z-loss: the form that has emitters.
    bool isPlain() {
      return !getWeights() && getLabelSmoothing().isZero() && getZLoss().isZero();
    }
  }];
}
def TT_CrossEntropyBwdOp : TT_AdjointOp<"cross_entropy_bwd", [TT_Decomposable]> {
  let summary = "Adjoint of cross_entropy in its logits";
  let description = [{
    With the names of `tt.cross_entropy`, p = e^(logits - lse) and g the row's
    share of `d_loss` (`d_loss` over the sum of w[t] for mean, `d_loss` for sum,
    the row's `d_loss` for none), `d_logits[c] = g (a p[c] - (1 - s) w[t] [c = t]
    - s/V w[c])`, `a = (1 - s) w[t] + s/V sum w + 2 z_loss w[t] lse`; without the
    attributes `g (p - onehot(t))`. 0 in a row that is not counted.

    Constraints: as `tt.cross_entropy`.
    Residuals: none: a gradient of this gradient goes through the decomposition.
    Example:
    ```mlir
    %dz = tt.cross_entropy_bwd mean %logits, %targets, %lse, %dloss
        : (tensor<2x4x65xf32>, tensor<2x4xi32>, tensor<2x4xf32>, tensor<f32>) -> tensor<2x4x65xf32>
    ```
  }];
  let arguments = !con((ins TT_FloatTensor:$logits, TT_IndexTensor:$targets,
                            TT_StatTensor:$lse, TT_StatTensor:$d_loss,
                            Optional<TT_FloatTensor>:$weights),
                       TT_CrossEntropyAttrs);
  let results = (outs TT_FloatTensor:$d_logits);
  let assemblyFormat = "$reduction $logits `,` $targets `,` $lse `,` $d_loss (`weights` `(` $weights^ `)`)? attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    bool isPlain() {
      return !getWeights() && getLabelSmoothing().isZero() && getZLoss().isZero();
    }
  }];
}
#endif
