#ifndef TT_IR_LINEARLOSSOPS_TD
#define TT_IR_LINEARLOSSOPS_TD

include "tt/IR/LinearOps.td"
include "tt/IR/LossOps.td"

// How rows become a loss; shared by the op and its adjoint.
defvar TT_LinearCrossEntropyAttrs = (ins TT_WeightLayout:$layout,
    TT_Reduction:$reduction, I64Attr:$chunks,
    DefaultValuedAttr<I64Attr, "-100">:$ignore_index,
    DefaultValuedAttr<F64Attr, "::llvm::APFloat(0.0)">:$label_smoothing,
    DefaultValuedAttr<F64Attr, "::llvm::APFloat(0.0)">:$z_loss);

def TT_LinearCrossEntropyOp : TT_InferOp<"linear_cross_entropy",
    [AttrSizedOperandSegments, TT_Decomposable,
     DeclareOpInterfaceMethods<TT_CostOpInterface>]> {
  let summary = "Cross-entropy of a linear map, without the whole logits";
  let description = [{
    `tt.cross_entropy` of `tt.linear` of `hidden`, `weight` and `bias`, with
    `class_weights`, `label_smoothing`, `z_loss` and `ignore_index` as its
    `weights` and attributes of these names. The R rows are cut into `chunks` runs
    of R / chunks rows, the first R mod chunks of them one row longer; the logits
    of one chunk exist at a time, forward and again backward; one chunk is all of
    them. `hidden`, `weight`, `class_weights` and `bias` are differentiable.

    Constraints: (C1) `hidden` has the shape of `targets` and one dimension more;
    (C2) `weight` has rank 2, the element type of `hidden` and its last dimension
    as input size; (C3) `chunks` is in [1, R]; (C4) `class_weights` has rank 1, the
    number of classes as its size and the element type of `hidden`; (C5)
    `label_smoothing` is in [0, 1]; (C6) `z_loss` is finite, also in
    the loss's type, and not negative; (C7) `bias` is like `class_weights`.
    Residuals: `hidden`, `weight`, `targets`, `lse`, `class_weights`, `bias`; `loss`
    if `class_weights` is active and the loss a mean.
    Example:
    ```mlir
    %loss, %lse = tt.linear_cross_entropy mean out_in %h, %w, %targets chunks = 4
        : (tensor<2x4x8xf32>, tensor<65x8xf32>, tensor<2x4xi32>) -> (tensor<f32>, tensor<2x4xf32>)
    ```
  }];
  let arguments = !con((ins TT_FloatTensor:$hidden, TT_FloatTensor:$weight,
                            TT_IndexTensor:$targets,
                            Optional<TT_FloatTensor>:$class_weights,
                            Optional<TT_FloatTensor>:$bias),
                       TT_LinearCrossEntropyAttrs);
  let results = (outs TT_StatTensor:$loss, TT_StatTensor:$lse);
  let assemblyFormat = "$reduction $layout $hidden `,` $weight `,` $targets (`weights` `(` $class_weights^ `)`)? (`bias` `(` $bias^ `)`)? `chunks` `=` $chunks attr-dict `:` functional-type(operands, results)";
}
def TT_LinearCrossEntropyBwdOp : TT_AdjointOp<"linear_cross_entropy_bwd",
    [AttrSizedOperandSegments, TT_Decomposable,
     DeclareOpInterfaceMethods<TT_CostOpInterface>]> {
  let summary = "Adjoint of linear_cross_entropy in hidden, weight and bias";
  let description = [{
    Chunk by chunk: the logits again, `d_logits` as in `tt.cross_entropy_bwd`, plus
    `e^(logits - lse) d_lse` if `d_lse` is given; `d_hidden = d_logits W^T`;
    `d_weight` is the sum of `hidden^T d_logits` over the chunks, added in order,
    `d_bias`, a result if there is a `bias`, that of the column sums of `d_logits`.

    Constraints: as `tt.linear_cross_entropy`.
    Residuals: none: a gradient of this gradient goes through the decomposition.
    Example:
    ```mlir
    %dh, %dw = tt.linear_cross_entropy_bwd mean out_in %h, %w, %targets, %lse, %dloss chunks = 4
        : (tensor<2x4x8xf32>, tensor<65x8xf32>, tensor<2x4xi32>, tensor<2x4xf32>, tensor<f32>)
       -> (tensor<2x4x8xf32>, tensor<65x8xf32>)
    ```
  }];
  let arguments = !con((ins TT_FloatTensor:$hidden, TT_FloatTensor:$weight,
                            TT_IndexTensor:$targets, TT_StatTensor:$lse,
                            TT_StatTensor:$d_loss, Optional<TT_StatTensor>:$d_lse,
                            Optional<TT_FloatTensor>:$class_weights,
                            Optional<TT_FloatTensor>:$bias),
                       TT_LinearCrossEntropyAttrs);
  let results = (outs TT_FloatTensor:$d_hidden, TT_FloatTensor:$d_weight,
                      Optional<TT_FloatTensor>:$d_bias);
  let assemblyFormat = "$reduction $layout $hidden `,` $weight `,` $targets `,` $lse `,` $d_loss (`d_lse` `(` $d_lse^ `)`)? (`weights` `(` $class_weights^ `)`)? (`bias` `(` $bias^ `)`)? `chunks` `=` $chunks attr-dict `:` functional-type(operands, results)";
}
#endif
