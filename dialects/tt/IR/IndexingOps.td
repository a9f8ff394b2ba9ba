#ifndef TT_IR_INDEXINGOPS_TD
#define TT_IR_INDEXINGOPS_TD

include "tt/IR/TTBase.td"

def TT_GatherRowsOp : TT_InferOp<"gather_rows"> {
  let summary = "Rows of a tensor, chosen at run time";
  let description = [{
    `output[i.., :..] = input[ids[i..], :..]`: rows of the first dimension in the
    shape of `ids`. An id outside the dimension reads as zero (and is an error in
    a strict run of the interpreter).

    Constraints: (C1) `input` has a dimension.
    Residuals: `ids`.
    Example: `%y = tt.gather_rows %x, %ids : (tensor<9x2x4xf32>, tensor<3x5xi32>) -> tensor<3x5x2x4xf32>`
  }];
  let arguments = (ins TT_Tensor:$input, TT_IndexTensor:$ids);
  let results = (outs TT_Tensor:$output);
  let assemblyFormat = "$input `,` $ids attr-dict `:` functional-type(operands, results)";
}
def TT_ScatterAddRowsOp : TT_InferOp<"scatter_add_rows"> {
  let summary = "Adds rows at places chosen at run time";
  let description = [{
    `output[r, :] = sum of updates[i.., :] where ids[i..] = r`, added in
    increasing row-major position, in f32, or f64 for f64. A row that no id names
    is 0; an id outside [0, rows) is skipped. The adjoint of `tt.gather_rows`.

    Constraints: (C1) `updates` has the shape of `ids` and one dimension more;
    (C2) `rows` is positive.
    Residuals: `ids`.
    Example: `%y = tt.scatter_add_rows %ids, %u rows = 9 : (tensor<3x5xi32>, tensor<3x5x4xf32>) -> tensor<9x4xf32>`
  }];
  let arguments = (ins TT_IndexTensor:$ids, TT_FloatTensor:$updates, I64Attr:$rows);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$ids `,` $updates `rows` `=` $rows attr-dict `:` functional-type(operands, results)";
}
def TT_GatherAlongOp : TT_InferOp<"gather_along"> {
  let summary = "Elements along one dimension, chosen one by one";
  let description = [{
    `output[a, i, b] = input[a, indices[a, i, b], b]`, where i runs along `dim`.
    An index outside the dimension reads as zero.

    Constraints: (C1) `dim` is a dimension; (C2) `indices` has the rank of
    `input` and its sizes but for `dim`.
    Residuals: `indices`.
    Example: `%y = tt.gather_along %x, %i dim = 1 : (tensor<4x8xf32>, tensor<4x3xi32>) -> tensor<4x3xf32>`
  }];
  let arguments = (ins TT_Tensor:$input, TT_IndexTensor:$indices, I64Attr:$dim);
  let results = (outs TT_Tensor:$output);
  let assemblyFormat = "$input `,` $indices `dim` `=` $dim attr-dict `:` functional-type(operands, results)";
}
def TT_ScatterAlongOp : TT_InferOp<"scatter_along"> {
  let summary = "Adds elements along one dimension at chosen places";
  let description = [{
    `output[a, j, b] = sum of updates[a, i, b] where indices[a, i, b] = j`, added
    in increasing i, in f32, or f64 for f64; `size` is the size of `dim` in the
    result. An index outside [0, size) is skipped. The adjoint of
    `tt.gather_along`.

    Constraints: (C1) `dim` is a dimension; (C2) `indices` and `updates` have one
    shape; (C3) `size` is positive.
    Residuals: `indices`.
    Example: `%y = tt.scatter_along %u, %i dim = 1 size = 8 : (tensor<4x3xf32>, tensor<4x3xi32>) -> tensor<4x8xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$updates, TT_IndexTensor:$indices,
                       I64Attr:$dim, I64Attr:$size);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$updates `,` $indices `dim` `=` $dim `size` `=` $size attr-dict `:` functional-type(operands, results)";
}
def TT_OneHotOp : TT_Op<"one_hot", [Pure]> {
  let summary = "Indices as unit vectors";
  let description = [{
    `output[i.., j] = 1 where ids[i..] = j, else 0`. An id outside the last
    dimension gives a row of zeros.

    Constraints: (C1) the result has the shape of `ids` and one dimension more.
    Residuals: none.
    Example: `%y = tt.one_hot %ids : tensor<4xi32> -> tensor<4x8xf32>`
  }];
  let arguments = (ins TT_IndexTensor:$ids);
  let results = (outs TT_Tensor:$output);
  let assemblyFormat = "$ids attr-dict `:` type($ids) `->` type($output)";
  let hasVerifier = 1;
}
#endif
