#ifndef TT_IR_REDUCEOPS_TD
#define TT_IR_REDUCEOPS_TD

include "tt/IR/TTBase.td"

class TT_ReduceOp<string mnemonic> : TT_InferOp<mnemonic> {
  let arguments = (ins TT_FloatTensor:$input, DenseI64ArrayAttr:$dims);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$input `dims` `=` $dims attr-dict `:` functional-type(operands, results)";
}
def TT_SumOp : TT_ReduceOp<"sum"> {
  let summary = "Sum over dimensions";
  let description = [{
    The dimensions of `dims` disappear. Accumulates in f32, or f64 for f64.

    Constraints: (C1) `dims` are dimensions, strictly increasing.
    Residuals: none.
    Example: `%s = tt.sum %x dims = [0] : (tensor<4x8xf32>) -> tensor<8xf32>`
  }];
  let hasFolder = 1;
}
def TT_MeanOp : TT_ReduceOp<"mean"> {
  let summary = "Mean over dimensions";
  let description = [{
    Sum over `dims` divided by the number of summed elements.

    Constraints: (C1) `dims` are dimensions, strictly increasing.
    Residuals: none.
    Example: `%s = tt.mean %x dims = [0] : (tensor<4x8xf32>) -> tensor<8xf32>`
  }];
}
def TT_MaxOp : TT_InferOp<"max"> {
  let summary = "Maximum along one dimension, and where it is";
  let description = [{
    `index` is the first position of the maximum. NaN is taken as the maximum.
    The cotangent goes to that position.

    Constraints: (C1) `dim` is a dimension of the operand.
    Residuals: `index`.
    Example: `%m, %i = tt.max %x dim = 1 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi32>)`
  }];
  let arguments = (ins TT_FloatTensor:$input, I64Attr:$dim);
  let results = (outs TT_FloatTensor:$output, TT_IndexTensor:$index);
  let assemblyFormat = "$input `dim` `=` $dim attr-dict `:` functional-type(operands, results)";
}
def TT_SoftmaxOp : TT_DiffOp<"softmax", [SameOperandsAndResultType,
    TT_Decomposable]> {
  let summary = "Softmax over the last dimension";
  let description = [{
    `output = e^(input - max) / sum e^(input - max)`, per row.

    Constraints: (C1) the operand has a dimension.
    Residuals: `output`.
    Example: `%p = tt.softmax %x : tensor<4x8xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$input);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($output)";
  let hasVerifier = 1;
}
def TT_SoftmaxBwdOp : TT_Op<"softmax_bwd", [Pure, SameOperandsAndResultType,
    TT_Decomposable]> {
  let summary = "Adjoint of softmax";
  let description = [{
    `d_input = output * (d_output - sum(d_output * output))`, per row.

    Constraints: operands and result have one type.
    Residuals: none: a gradient of this gradient goes through the decomposition.
    Example: `%dx = tt.softmax_bwd %p, %dp : tensor<4x8xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$output, TT_FloatTensor:$d_output);
  let results = (outs TT_FloatTensor:$d_input);
  let assemblyFormat = "$output `,` $d_output attr-dict `:` type($d_input)";
}
#endif
