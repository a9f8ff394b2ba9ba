#ifndef TT_IR_SHAPEOPS_TD
#define TT_IR_SHAPEOPS_TD

include "tt/IR/TTBase.td"

def TT_ConstantOp : TT_Op<"constant", [Pure, ConstantLike,
    AllTypesMatch<["value", "output"]>]> {
  let summary = "Constant tensor";
  let description = [{
    `output = value`.

    Constraints: the attribute and the result have one type.
    Residuals: none.
    Example: `%c = tt.constant dense<1.0> : tensor<4xf32>`
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs TT_Tensor:$output);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}
def TT_IotaOp : TT_Op<"iota", [Pure]> {
  let summary = "Indices along one dimension";
  let description = [{
    `output[i0, i1, ...] = i_dim`.

    Constraints: (C1) `dim` is a dimension of the result.
    Residuals: none.
    Example: `%i = tt.iota dim = 0 : tensor<8xi32>`
  }];
  let arguments = (ins I64Attr:$dim);
  let results = (outs TT_IndexTensor:$output);
  let assemblyFormat = "`dim` `=` $dim attr-dict `:` type($output)";
  let hasVerifier = 1;
}
def TT_BroadcastOp : TT_DiffOp<"broadcast"> {
  let summary = "Repeats a tensor along new dimensions";
  let description = [{
    Operand dimension `i` becomes result dimension `dims[i]`; the others repeat.
    The adjoint is the sum over the others.

    Constraints: (C1) one entry of `dims` per operand dimension, strictly
    increasing, inside the result; (C2) sizes agree; (C3) one element type.
    Residuals: none.
    Example: `%y = tt.broadcast %b dims = [1] : tensor<8xf32> -> tensor<4x8xf32>`
  }];
  let arguments = (ins TT_Tensor:$input, DenseI64ArrayAttr:$dims);
  let results = (outs TT_Tensor:$output);
  let assemblyFormat = "$input `dims` `=` $dims attr-dict `:` type($input) `->` type($output)";
  let hasVerifier = 1;
  let hasFolder = 1;
}
def TT_ReshapeOp : TT_DiffOp<"reshape"> {
  let summary = "Same elements in row-major order, another shape";
  let description = [{
    Constraints: (C1) as many elements; (C2) one element type.
    Residuals: none.
    Example: `%y = tt.reshape %x : tensor<4x8xf32> -> tensor<32xf32>`
  }];
  let arguments = (ins TT_Tensor:$input);
  let results = (outs TT_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($output)";
  let hasVerifier = 1;
  let hasFolder = 1;
}
def TT_TransposeOp : TT_InferOp<"transpose"> {
  let summary = "Permutes dimensions";
  let description = [{
    Result dimension `i` is operand dimension `permutation[i]`.

    Constraints: (C1) `permutation` holds every dimension once.
    Residuals: none.
    Example: `%y = tt.transpose %x permutation = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>`
  }];
  let arguments = (ins TT_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs TT_Tensor:$output);
  let assemblyFormat = "$input `permutation` `=` $permutation attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}
def TT_SliceOp : TT_InferOp<"slice"> {
  let summary = "A contiguous range of one dimension";
  let description = [{
    `output = input[.., start : start + size, ..]` along `dim`.

    Constraints: (C1) `dim` is a dimension of the operand; (C2) the range lies
    inside it and is not empty.
    Residuals: none.
    Example: `%q = tt.slice %x dim = 1 start = 0 size = 8 : (tensor<4x24xf32>) -> tensor<4x8xf32>`
  }];
  let arguments = (ins TT_Tensor:$input, I64Attr:$dim, I64Attr:$start,
                       I64Attr:$size);
  let results = (outs TT_Tensor:$output);
  let assemblyFormat = "$input `dim` `=` $dim `start` `=` $start `size` `=` $size attr-dict `:` functional-type(operands, results)";
}
def TT_PadOp : TT_InferOp<"pad"> {
  let summary = "Zeros before and after, along one dimension";
  let description = [{
    The adjoint of `tt.slice`.

    Constraints: (C1) `dim` is a dimension of the operand; (C2) `low` and `high`
    are not negative.
    Residuals: none.
    Example: `%y = tt.pad %x dim = 1 low = 8 high = 8 : (tensor<4x8xf32>) -> tensor<4x24xf32>`
  }];
  let arguments = (ins TT_Tensor:$input, I64Attr:$dim, I64Attr:$low,
                       I64Attr:$high);
  let results = (outs TT_Tensor:$output);
  let assemblyFormat = "$input `dim` `=` $dim `low` `=` $low `high` `=` $high attr-dict `:` functional-type(operands, results)";
}
def TT_ConcatOp : TT_InferOp<"concat"> {
  let summary = "Joins tensors along one dimension";
  let description = [{
    Constraints: (C1) at least one operand; (C2) `dim` is a dimension; (C3) the
    other sizes and the element types agree.
    Residuals: none.
    Example: `%y = tt.concat %a, %b dim = 0 : (tensor<2x8xf32>, tensor<3x8xf32>) -> tensor<5x8xf32>`
  }];
  let arguments = (ins Variadic<TT_Tensor>:$inputs, I64Attr:$dim);
  let results = (outs TT_Tensor:$output);
  let assemblyFormat = "$inputs `dim` `=` $dim attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}
def TT_TakeOp : TT_InferOp<"take"> {
  let summary = "One position of one dimension, chosen at run time";
  let description = [{
    `output = input[.., index, ..]`, without dimension `dim`. An index outside
    the dimension reads as zero.

    Constraints: (C1) `dim` is a dimension of the operand.
    Residuals: `index`.
    Example: `%row = tt.take %x, %i dim = 1 : (tensor<2x8x4xf32>, tensor<i32>) -> tensor<2x4xf32>`
  }];
  let arguments = (ins TT_Tensor:$input, TT_ScalarInt:$index, I64Attr:$dim);
  let results = (outs TT_Tensor:$output);
  let assemblyFormat = "$input `,` $index `dim` `=` $dim attr-dict `:` functional-type(operands, results)";
}
#endif
