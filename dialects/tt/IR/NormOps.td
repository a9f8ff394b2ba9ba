#ifndef TT_IR_NORMOPS_TD
#define TT_IR_NORMOPS_TD

include "tt/IR/TTBase.td"

def TT_LayerNormOp : TT_InferOp<"layer_norm", [TT_Decomposable]> {
  let summary = "Layer normalization over the last dimension";
  let description = [{
    Per row, `mean = sum(input)/C`, `rstd = 1 / sqrt(sum((input - mean)^2)/C + eps)`
    in two sweeps, `output = (input - mean) * rstd * gamma + beta`. Sums, `mean`
    and `rstd` are f32, or f64 for f64 input.

    Constraints: (C1) the input has a dimension; (C2) `gamma` and `beta` have
    rank 1 and the size of its last dimension, and its element type; (C3) `eps`
    is positive.
    Residuals: `input`, `mean`, `rstd`; `gamma` if `input` is active; none for the
    cotangent of `mean`.
    Example:
    ```mlir
    %y, %mean, %rstd = tt.layer_norm %x, %gamma, %beta eps = 1.0e-5
        : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
       -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins TT_FloatTensor:$input, TT_FloatTensor:$gamma,
                       Optional<TT_FloatTensor>:$beta, F64Attr:$eps);
  let results = (outs TT_FloatTensor:$output, TT_StatTensor:$mean,
                      TT_StatTensor:$rstd);
  let assemblyFormat = "$input `,` $gamma (`,` $beta^)? `eps` `=` $eps attr-dict `:` functional-type(operands, results)";
}
def TT_LayerNormBwdOp : TT_AdjointOp<"layer_norm_bwd", [TT_Decomposable]> {
  let summary = "Adjoint of layer_norm in its input";
  let description = [{
    `d_input = rstd * (h - mean(h) - xhat * mean(h * xhat))` per row, with
    `h = d_output * gamma`, `xhat = (input - mean) * rstd`.

    Constraints: as `tt.layer_norm`.
    Example:
    ```mlir
    %dx = tt.layer_norm_bwd %x, %gamma, %mean, %rstd, %dy
        : (tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins TT_FloatTensor:$input, TT_FloatTensor:$gamma,
                       TT_StatTensor:$mean, TT_StatTensor:$rstd,
                       TT_FloatTensor:$d_output);
  let results = (outs TT_FloatTensor:$d_input);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
def TT_RMSNormOp : TT_InferOp<"rms_norm", [TT_Decomposable]> {
  let summary = "Root-mean-square normalization over the last dimension";
  let description = [{
    Per row, `rstd = 1 / sqrt(sum(input^2)/C + eps)`,
    `output = input * rstd * gamma`, the product formed in f32 (f64 for f64) and
    rounded once. Sums and `rstd` are f32, or f64 for f64 input.

    Constraints: (C1) the input has a dimension; (C2) `gamma` has rank 1, the
    size of its last dimension and its element type; (C3) `eps` is positive.
    Residuals: `input`, `rstd`; `gamma` if `input` is active.
    Example:
    ```mlir
    %y, %rstd = tt.rms_norm %x, %gamma eps = 1.0e-5
        : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins TT_FloatTensor:$input, TT_FloatTensor:$gamma, F64Attr:$eps);
  let results = (outs TT_FloatTensor:$output, TT_StatTensor:$rstd);
  let assemblyFormat = "$input `,` $gamma `eps` `=` $eps attr-dict `:` functional-type(operands, results)";
}
def TT_RMSNormBwdOp : TT_AdjointOp<"rms_norm_bwd", [TT_Decomposable]> {
  let summary = "Adjoint of rms_norm in its input";
  let description = [{
    `d_input = rstd * (h - xhat * mean(h * xhat))` per row, with
    `h = d_output * gamma`, `xhat = input * rstd`.

    Constraints: as `tt.rms_norm`.
    Example:
    ```mlir
    %dx = tt.rms_norm_bwd %x, %gamma, %rstd, %dy
        : (tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins TT_FloatTensor:$input, TT_FloatTensor:$gamma,
                       TT_StatTensor:$rstd, TT_FloatTensor:$d_output);
  let results = (outs TT_FloatTensor:$d_input);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
#endif
