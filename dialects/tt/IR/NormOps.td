#ifndef TT_IR_NORMOPS_TD
#define TT_IR_NORMOPS_TD

include "tt/IR/TTBase.td"

def TT_LayerNormOp : TT_InferOp<"layer_norm", [TT_Decomposable]> {
  let summary = "Layer normalization over the last dimension";
  let description = [{
    Per row, `mean = sum(input)/C`, `rstd = 1 / sqrt(sum((input - mean)^2)/C + eps)`
    in two sweeps, `output = (input - mean) * rstd * gamma + beta`. Sums, `mean`
    and `rstd` are f32, or f64 for f64 input: where squares of `input - mean` leave that
    type (1.8e19 in f32), `rstd` is 0. Compiled code takes off what the
    rounding of `mean` leaves in `input - mean`, its own mean, as well: in the
    variance, in the output, in the input's adjoint, and, where it is more than 2^-20
    of the spread, in `mean` itself, which is then the f32 nearest to the mean.

    Constraints: (C1) the input has a dimension; (C2) `gamma` and `beta` have
    rank 1 and the size of its last dimension, and its element type; (C3) `eps`
    is positive, and a normal number of the type of `rstd`.
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
    Residuals: none: a gradient of this gradient goes through the decomposition.
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
    rounded once. With `unit_offset` the factor is `1 + gamma`, so that gamma is
    zero where the norm changes no scale. Sums and `rstd` are f32, or f64 for f64
    input: of numbers whose squares that type does not hold (1.8e19 in f32) `rstd` is
    0, and with it output and gradient.

    Constraints: (C1) the input has a dimension; (C2) `gamma` has rank 1, the
    size of its last dimension and its element type; (C3) `eps` is positive,
    and a normal number of the type of `rstd`.
    Residuals: `input`, `rstd`; `gamma` if `input` is active.
    Example:
    ```mlir
    %y, %rstd = tt.rms_norm %x, %gamma eps = 1.0e-5
        : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins TT_FloatTensor:$input, TT_FloatTensor:$gamma, F64Attr:$eps,
                       UnitAttr:$unit_offset);
  let results = (outs TT_FloatTensor:$output, TT_StatTensor:$rstd);
  let assemblyFormat = "$input `,` $gamma `eps` `=` $eps (`unit_offset` $unit_offset^)? attr-dict `:` functional-type(operands, results)";
}
def TT_RMSNormBwdOp : TT_AdjointOp<"rms_norm_bwd", [TT_Decomposable]> {
  let summary = "Adjoint of rms_norm in its input";
  let description = [{
    `d_input = rstd * (h - xhat * mean(h * xhat))` per row, with
    `h = d_output * gamma`, or `d_output * (1 + gamma)` with `unit_offset`, and
    `xhat = input * rstd`.

    Constraints: as `tt.rms_norm`.
    Residuals: none: a gradient of this gradient goes through the decomposition.
    Example:
    ```mlir
    %dx = tt.rms_norm_bwd %x, %gamma, %rstd, %dy
        : (tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins TT_FloatTensor:$input, TT_FloatTensor:$gamma,
                       TT_StatTensor:$rstd, TT_FloatTensor:$d_output,
                       UnitAttr:$unit_offset);
  let results = (outs TT_FloatTensor:$d_input);
  let assemblyFormat = "operands (`unit_offset` $unit_offset^)? attr-dict `:` functional-type(operands, results)";
}
def TT_GroupNormOp : TT_InferOp<"group_norm", [TT_Decomposable]> {
  let summary = "Normalization over groups of channels";
  let description = [{
    `input` is [N, C, ...]. Per sample and group of C/groups channels that lie
    together, over these channels and all further dimensions (m elements),
    `mean = sum(input)/m`, `rstd = 1 / sqrt(sum((input - mean)^2)/m + eps)` in two
    sweeps, `output = (input - mean) * rstd * gamma + beta`, gamma and beta per
    channel. Sums, `mean` and `rstd` are f32, or f64 for f64 input.

    Constraints: (C1) the input has rank 2 or more; (C2) `groups` is positive and
    divides C; (C3) `gamma` and `beta` have rank 1, size C and the input's element
    type; (C4) `eps` is positive, and a normal number of the type of `rstd`.
    Residuals: `input`, `mean`, `rstd`; `gamma` if `input` is active; none for the
    cotangent of `mean`.
    Example:
    ```mlir
    %y, %mean, %rstd = tt.group_norm %x, %gamma, %beta groups = 2 eps = 1.0e-5
        : (tensor<4x8x5xf32>, tensor<8xf32>, tensor<8xf32>)
       -> (tensor<4x8x5xf32>, tensor<4x2xf32>, tensor<4x2xf32>)
    ```
  }];
  let arguments = (ins TT_FloatTensor:$input, TT_FloatTensor:$gamma,
                       Optional<TT_FloatTensor>:$beta, I64Attr:$groups, F64Attr:$eps);
  let results = (outs TT_FloatTensor:$output, TT_StatTensor:$mean,
                      TT_StatTensor:$rstd);
  let assemblyFormat = "$input `,` $gamma (`,` $beta^)? `groups` `=` $groups `eps` `=` $eps attr-dict `:` functional-type(operands, results)";
}
#endif
