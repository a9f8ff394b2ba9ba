#ifndef TT_IR_ORDEROPS_TD
#define TT_IR_ORDEROPS_TD

include "tt/IR/TTBase.td"

def TT_MinOp : TT_InferOp<"min"> {
  let summary = "Minimum along one dimension, and where it is";
  let description = [{
    `index` is the first position of the minimum. NaN is taken as the minimum.
    The cotangent goes to that position.

    Constraints: (C1) `dim` is a dimension of the operand.
    Residuals: `index`.
    Example: `%m, %i = tt.min %x dim = 1 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi32>)`
  }];
  let arguments = (ins TT_FloatTensor:$input, I64Attr:$dim);
  let results = (outs TT_FloatTensor:$output, TT_IndexTensor:$index);
  let assemblyFormat = "$input `dim` `=` $dim attr-dict `:` functional-type(operands, results)";
}

class TT_ArgOp<string mnemonic> : TT_InferOp<mnemonic> {
  let arguments = (ins TT_FloatTensor:$input, I64Attr:$dim);
  let results = (outs TT_IndexTensor:$index);
  let assemblyFormat = "$input `dim` `=` $dim attr-dict `:` functional-type(operands, results)";
}
def TT_ArgMaxOp : TT_ArgOp<"argmax"> {
  let summary = "The first position of the maximum along one dimension";
  let description = [{
    The `index` of `tt.max`: an integer, through which no derivative flows.

    Constraints: (C1) `dim` is a dimension of the operand.
    Residuals: none.
    Example: `%i = tt.argmax %x dim = 1 : (tensor<4x8xf32>) -> tensor<4xi32>`
  }];
}
def TT_ArgMinOp : TT_ArgOp<"argmin"> {
  let summary = "The first position of the minimum along one dimension";
  let description = [{
    The `index` of `tt.min`: an integer, through which no derivative flows.

    Constraints: (C1) `dim` is a dimension of the operand.
    Residuals: none.
    Example: `%i = tt.argmin %x dim = 1 : (tensor<4x8xf32>) -> tensor<4xi32>`
  }];
}
def TT_CumSumOp : TT_InferOp<"cumsum"> {
  let summary = "Running sum along one dimension";
  let description = [{
    `output[.., i, ..] = sum of input[.., j, ..] over j <= i`; `exclusive`: over
    j < i; `reverse`: over j >= i, or j > i with both. Added one after the other
    from 0 on, in f32, or f64 for f64; integers wrap. The adjoint
    is the running sum the other way round.

    Constraints: (C1) `dim` is a dimension of the operand.
    Residuals: none.
    Example: `%y = tt.cumsum exclusive %x dim = 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>`
  }];
  let arguments = (ins TT_TensorOf<[F64, F32, BF16, F16, I64, I32]>:$input,
                       I64Attr:$dim, UnitAttr:$exclusive, UnitAttr:$reverse);
  let results = (outs TT_TensorOf<[F64, F32, BF16, F16, I64, I32]>:$output);
  let assemblyFormat = "(`exclusive` $exclusive^)? (`reverse` $reverse^)? $input `dim` `=` $dim attr-dict `:` functional-type(operands, results)";
}
def TT_SortOp : TT_InferOp<"sort"> {
  let summary = "Sorts along one dimension";
  let description = [{
    `values` are the elements along `dim` in increasing order, with `descending`
    in decreasing order; `indices` says where each one was. Equal elements keep
    their order (-0 equals 0). NaN counts as greater than all numbers, and one
    NaN equals another. Cotangents go back to where the elements were.

    Constraints: (C1) `dim` is a dimension of the operand.
    Residuals: `indices`.
    Example: `%v, %i = tt.sort descending %x dim = 1 : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)`
  }];
  let arguments = (ins TT_FloatTensor:$input, I64Attr:$dim, UnitAttr:$descending);
  let results = (outs TT_FloatTensor:$values, TT_IndexTensor:$indices);
  let assemblyFormat = "(`descending` $descending^)? $input `dim` `=` $dim attr-dict `:` functional-type(operands, results)";
}
def TT_TopKOp : TT_InferOp<"topk"> {
  let summary = "The k greatest elements along one dimension";
  let description = [{
    The first `k` of `tt.sort descending`: values in decreasing order, and where
    each one was. Cotangents go back to where the elements were.

    Constraints: (C1) `dim` is a dimension of the operand; (C2) `k` is in
    [1, size of that dimension].
    Residuals: `indices`.
    Example: `%v, %i = tt.topk %x dim = 1 k = 2 : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)`
  }];
  let arguments = (ins TT_FloatTensor:$input, I64Attr:$dim, I64Attr:$k);
  let results = (outs TT_FloatTensor:$values, TT_IndexTensor:$indices);
  let assemblyFormat = "$input `dim` `=` $dim `k` `=` $k attr-dict `:` functional-type(operands, results)";
}
#endif
