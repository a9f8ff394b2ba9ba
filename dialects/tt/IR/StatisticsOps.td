#ifndef TT_IR_STATISTICSOPS_TD
#define TT_IR_STATISTICSOPS_TD

include "tt/IR/TTBase.td"

def TT_LogSumExpOp : TT_InferOp<"logsumexp", [TT_Decomposable]> {
  let summary = "Logarithm of a sum of exponentials over dimensions";
  let description = [{
    `output = ln sum e^input` over `dims`, which disappear; the largest element is
    taken out before the exponential. The derivative is the softmax over `dims`.
    Accumulates in f32, or f64 for f64. A slice of -inf alone gives -inf and zero
    gradients; NaN gives NaN.

    Constraints: (C1) `dims` are dimensions, strictly increasing.
    Residuals: `input`, `output`.
    Example: `%s = tt.logsumexp %x dims = [1] : (tensor<4x8xf32>) -> tensor<4xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$input, DenseI64ArrayAttr:$dims);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$input `dims` `=` $dims attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}
def TT_LogSoftmaxOp : TT_DiffOp<"log_softmax", [SameOperandsAndResultType,
    TT_Decomposable]> {
  let summary = "Logarithm of softmax over the last dimension";
  let description = [{
    `output = input - ln sum e^input`, per row; `d_input = d_output - e^output
    sum(d_output)`. Sums are f32, or f64 for f64.

    Constraints: (C1) the operand has a dimension.
    Residuals: `output`.
    Example: `%y = tt.log_softmax %x : tensor<4x8xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$input);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($output)";
  let hasVerifier = 1;
}
def TT_VarianceOp : TT_InferOp<"variance", [TT_Decomposable]> {
  let summary = "Variance over dimensions";
  let description = [{
    `output = sum((input - mean)^2) / (n - correction)` over `dims`, which
    disappear, in two sweeps; n is the number of elements of a slice. What the
    rounding of the mean leaves in the differences is taken off them, so that a large
    mean costs no digits. Accumulates in f32, or f64 for f64. `correction` 0 is the variance of the slice, 1 the
    unbiased estimate.

    Constraints: (C1) `dims` are dimensions, strictly increasing; (C2)
    `correction` is in [0, n).
    Residuals: `input`.
    Example: `%v = tt.variance %x dims = [1] : (tensor<4x8xf32>) -> tensor<4xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$input, DenseI64ArrayAttr:$dims,
                       DefaultValuedAttr<I64Attr, "0">:$correction);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$input `dims` `=` $dims attr-dict `:` functional-type(operands, results)";
}
#endif
