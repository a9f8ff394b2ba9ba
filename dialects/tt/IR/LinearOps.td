#ifndef TT_IR_LINEAROPS_TD
#define TT_IR_LINEAROPS_TD

include "tt/IR/TTBase.td"

def TT_MatmulOp : TT_InferOp<"matmul",
    [DeclareOpInterfaceMethods<TT_CostOpInterface>]> {
  let summary = "Batched matrix product";
  let description = [{
    `output[.., i, j] = sum_k op(lhs)[.., i, k] op(rhs)[.., k, j]`, where `op`
    transposes the last two dimensions if the flag is set. Accumulates in f32,
    or f64 for f64, as the sum over chunks of 384 of k in order, each chunk an
    increasing-k chain of fused multiply-adds from 0.

    Constraints: (C1) both operands have one rank >= 2 and element type;
    (C2) the leading dimensions agree; (C3) the contracted sizes agree.
    Residuals: `rhs` if `lhs` is active, `lhs` if `rhs` is active.
    Example: `%c = tt.matmul %a, %b : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$lhs, TT_FloatTensor:$rhs,
                       UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$lhs `,` $rhs (`transpose_lhs` $transpose_lhs^)? (`transpose_rhs` $transpose_rhs^)? attr-dict `:` functional-type(operands, results)";
}
def TT_WeightLayout : I32EnumAttr<"WeightLayout", "layout of a weight matrix", [
    I32EnumAttrCase<"InOut", 0, "in_out">,
    I32EnumAttrCase<"OutIn", 1, "out_in">]> {
  let cppNamespace = "::tt";
}
def TT_LinearOp : TT_InferOp<"linear",
    [DeclareOpInterfaceMethods<TT_CostOpInterface>]> {
  let summary = "Affine map of the last dimension";
  let description = [{
    `output = input W + bias` with W = `weight` for layout `in_out` ([K, N]) and
    its transpose for `out_in` ([N, K]). Sums as in `tt.matmul`; the bias is
    added after the whole sum.

    Constraints: (C1) `weight` has rank 2 and the operands one element type;
    (C2) the last dimension of `input` is the weight's input size; (C3) `bias`,
    if given, has rank 1 and the output size.
    Residuals: `weight` if `input` is active, `input` if `weight` is active.
    Example: `%y = tt.linear in_out %x, %w, %b : (tensor<4x8xf32>, tensor<8x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$input, TT_FloatTensor:$weight,
                       Optional<TT_FloatTensor>:$bias, TT_WeightLayout:$layout);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$layout $input `,` $weight (`,` $bias^)? attr-dict `:` functional-type(operands, results)";
}
#endif
