#ifndef TT_IR_LOSSOPS_TD
#define TT_IR_LOSSOPS_TD

include "tt/IR/TTBase.td"

def TT_Reduction : I32EnumAttr<"Reduction", "reduction of a loss", [
    I32EnumAttrCase<"Mean", 0, "mean">, I32EnumAttrCase<"Sum", 1, "sum">,
    I32EnumAttrCase<"None", 2, "none">]> {
  let cppNamespace = "::tt";
}
def TT_CrossEntropyOp : TT_InferOp<"cross_entropy", [TT_Decomposable]> {
  let summary = "Cross-entropy of logits against class ids";
  let description = [{
    Per row, `lse = ln sum e^logits`, `l = lse - logits[target]`; a row whose
    target is `ignore_index`, or lies outside [0, V), counts nothing. `mean`
    divides by the number of counted rows (loss 0 if there is none), `sum` does
    not, `none` gives one loss per row. Loss and lse are f32, or f64 for f64.

    Constraints: (C1) `logits` has the shape of `targets` and one dimension more.
    Residuals: `logits`, `targets`, `lse`.
    Example:
    ```mlir
    %loss, %lse = tt.cross_entropy mean %logits, %targets
        : (tensor<2x4x65xf32>, tensor<2x4xi32>) -> (tensor<f32>, tensor<2x4xf32>)
    ```
  }];
  let arguments = (ins TT_FloatTensor:$logits, TT_IndexTensor:$targets,
                       TT_Reduction:$reduction,
                       DefaultValuedAttr<I64Attr, "-100">:$ignore_index);
  let results = (outs TT_StatTensor:$loss, TT_StatTensor:$lse);
  let assemblyFormat = "$reduction $logits `,` $targets attr-dict `:` functional-type(operands, results)";
}
def TT_CrossEntropyBwdOp : TT_AdjointOp<"cross_entropy_bwd", [TT_Decomposable]> {
  let summary = "Adjoint of cross_entropy in its logits";
  let description = [{
    `d_logits = (e^(logits - lse) - onehot(target)) * w`, where `w` is
    `d_loss / counted rows` (mean), `d_loss` (sum) or the row's `d_loss` (none),
    and 0 for a row that is not counted.

    Constraints: as `tt.cross_entropy`.
    Example:
    ```mlir
    %dz = tt.cross_entropy_bwd mean %logits, %targets, %lse, %dloss
        : (tensor<2x4x65xf32>, tensor<2x4xi32>, tensor<2x4xf32>, tensor<f32>) -> tensor<2x4x65xf32>
    ```
  }];
  let arguments = (ins TT_FloatTensor:$logits, TT_IndexTensor:$targets,
                       TT_StatTensor:$lse, TT_StatTensor:$d_loss,
                       TT_Reduction:$reduction,
                       DefaultValuedAttr<I64Attr, "-100">:$ignore_index);
  let results = (outs TT_FloatTensor:$d_logits);
  let assemblyFormat = "$reduction $logits `,` $targets `,` $lse `,` $d_loss attr-dict `:` functional-type(operands, results)";
}
#endif
