#ifndef TT_IR_TRAININGOPS_TD
#define TT_IR_TRAININGOPS_TD

include "tt/IR/TTBase.td"

def TT_SumSquaresOp : TT_Op<"sum_squares", [Pure]> {
  let summary = "Sum of squares of all elements, in f64";
  let description = [{
    The tensor in row-major order is cut into blocks of 16384 elements; a block
    is summed in f64 on 16 lanes (element i on lane i mod 16, in order, lanes
    added by the tree 8, 4, 2, 1), blocks are added in order.

    Constraints: none.
    Residuals: none: the step is built after differentiation.
    Example: `%s = tt.sum_squares %g : tensor<4x8xf32> -> tensor<f64>`
  }];
  let arguments = (ins TT_FloatTensor:$input);
  let results = (outs StaticShapeTensorOf<[F64]>:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
}
def TT_GlobalNormOp : TT_Op<"global_norm", [Pure]> {
  let summary = "Global norm of gradients and the factor that clips it";
  let description = [{
    `norm = sqrt(sum of inputs, in order)`, `clip = min(1, max_norm / (norm +
    1e-6))` or 1 if `max_norm` is 0 (no clipping), `skipped = 1` if the norm,
    rounded to f32, is not finite, else 0. Computed in f64; norm and clip are f32.

    Constraints: (C1) at least one input; (C2) `max_norm` is not negative and
    finite.
    Residuals: none: the step is built after differentiation.
    Example: `%n, %c, %s = tt.global_norm %a, %b max_norm = 1.0 : (tensor<f64>, tensor<f64>) -> (tensor<f32>, tensor<f32>, tensor<i32>)`
  }];
  let arguments = (ins Variadic<StaticShapeTensorOf<[F64]>>:$sums, F64Attr:$max_norm);
  let results = (outs StaticShapeTensorOf<[F32]>:$norm,
                      StaticShapeTensorOf<[F32]>:$clip,
                      StaticShapeTensorOf<[I32]>:$skipped);
  let assemblyFormat = "$sums `max_norm` `=` $max_norm attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def TT_AdamWOp : TT_Op<"adamw", [Pure]> {
  let summary = "AdamW update of one parameter";
  let description = [{
    With g = `gradient * clip`: `p1 = p - lr wd p`, `m' = b1 m + (1 - b1) g`,
    `v' = b2 v + (1 - b2) g^2`,
    `p' = p1 - (lr / (1 - b1^t)) m' / (sqrt(v') / sqrt(1 - b2^t) + eps)`,
    t = `step` counted from 1. If `skipped` is not 0, the step is below 1 or the
    learning rate is not finite, all three stay as they are. Loshchilov and Hutter 2019 with the bias correction of Kingma and Ba
    2015. `learning_rate`, `clip` are f32 scalars; `1 - b^t` is formed in f64.

    Constraints: (C1) parameter, gradient and moments have one shape;
    (C2) betas are in [0, 1), eps is positive, weight decay is not negative, and f32, or
    f64 for f64, holds them.
    Residuals: none: the step is built after differentiation.
    Example:
    ```mlir
    %p1, %m1, %v1 = tt.adamw %p, %g, %m, %v, %lr, %step, %clip, %skipped
        beta1 = 0.9 beta2 = 0.95 eps = 1.0e-8 weight_decay = 0.1
        : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i32>)
       -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
    ```
  }];
  let arguments = (ins TT_FloatTensor:$parameter, TT_FloatTensor:$gradient,
      TT_FloatTensor:$m, TT_FloatTensor:$v, TT_ScalarF32:$learning_rate,
      TT_ScalarInt:$step, TT_ScalarF32:$clip, TT_ScalarInt:$skipped,
      F64Attr:$beta1, F64Attr:$beta2, F64Attr:$eps, F64Attr:$weight_decay);
  let results = (outs TT_FloatTensor:$new_parameter, TT_FloatTensor:$new_m,
                      TT_FloatTensor:$new_v);
  let assemblyFormat = [{
    operands `beta1` `=` $beta1 `beta2` `=` $beta2 `eps` `=` $eps
    `weight_decay` `=` $weight_decay attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}
#endif
