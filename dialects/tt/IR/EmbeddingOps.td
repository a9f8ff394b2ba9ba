#ifndef TT_IR_EMBEDDINGOPS_TD
#define TT_IR_EMBEDDINGOPS_TD

include "tt/IR/TTBase.td"

def TT_EmbeddingOp : TT_InferOp<"embedding"> {
  let summary = "Rows of a table";
  let description = [{
    `output[.., :] = table[ids[..], :]`. An id outside the table reads as zero.
    A row whose id is `padding_index` passes no cotangent.

    Constraints: (C1) `table` has rank 2.
    Residuals: `ids`.
    Example: `%x = tt.embedding %table, %ids : (tensor<65x8xf32>, tensor<2x4xi32>) -> tensor<2x4x8xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$table, TT_IndexTensor:$ids,
                       OptionalAttr<I64Attr>:$padding_index);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$table `,` $ids attr-dict `:` functional-type(operands, results)";
}
def TT_EmbeddingBwdOp : TT_InferOp<"embedding_bwd"> {
  let summary = "Adjoint of embedding in its table";
  let description = [{
    `d_table[r, :] = sum of d_output[.., :] where ids[..] = r`, added in
    increasing row-major position; accumulates in f32, or f64 for f64. The row
    `padding_index` is zero. Linear in `d_output`: its own adjoint is
    `tt.embedding` without the padding row.

    Constraints: (C1) `d_output` has the shape of `ids` and one dimension more;
    (C2) `rows` is positive.
    Residuals: `ids`.
    Example: `%dt = tt.embedding_bwd %ids, %dx rows = 65 : (tensor<2x4xi32>, tensor<2x4x8xf32>) -> tensor<65x8xf32>`
  }];
  let arguments = (ins TT_IndexTensor:$ids, TT_FloatTensor:$d_output,
                       I64Attr:$rows, OptionalAttr<I64Attr>:$padding_index);
  let results = (outs TT_FloatTensor:$d_table);
  let assemblyFormat = "$ids `,` $d_output `rows` `=` $rows attr-dict `:` functional-type(operands, results)";
}
#endif
