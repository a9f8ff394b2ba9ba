#ifndef TT_IR_QUANTISEOPS_TD
#define TT_IR_QUANTISEOPS_TD

include "tt/IR/ElementwiseOps.td"

def TT_RoundSteOp : TT_UnaryOp<"round_ste"> {
  let summary = "Rounds to the nearest integer, straight-through";
  let description = [{
    `output` is the nearest integer, a tie to the even one. The derivative is 1
    by declaration, not the true 0 of `tt.round`.

    Constraints: operand and result have one type.
    Residuals: none.
    Example: `%y = tt.round_ste %x : tensor<4x8xf32>`
  }];
}
def TT_FakeQuantOp : TT_UnaryOp<"fake_quant"> {
  let summary = "Rounds to a grid of integers and back, straight-through";
  let description = [{
    `q = round(input / scale) + zero_point`, ties to even;
    `output = (min(max(q, low), high) - zero_point) scale`. The derivative is 1 by
    declaration where `low <= q <= high`, both ends included and before q is
    brought into the range, else 0 (and 0 for NaN). A scale per row or channel:
    divide by it, quantise with scale 1, multiply.

    Constraints: (C1) `scale` is positive and finite in the element type; (C2) `low <= high`, and
    `zero_point` lies between them; (C3) their magnitudes are at most 2^24.
    Residuals: `input`.
    Example: `%y = tt.fake_quant %x scale = 0.125 zero_point = 0 low = -8 high = 7 : tensor<4x8xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$input, F64Attr:$scale,
                       I64Attr:$zero_point, I64Attr:$low, I64Attr:$high);
  let assemblyFormat = "$input `scale` `=` $scale `zero_point` `=` $zero_point `low` `=` $low `high` `=` $high attr-dict `:` type($output)";
  let hasVerifier = 1;
}
def TT_DequantiseOp : TT_Op<"dequantise", [Pure, Elementwise,
    SameOperandsAndResultShape,
    DeclareOpInterfaceMethods<TT_ScalarOpInterface>]> {
  let summary = "Quantised integers as floats";
  let description = [{
    `output = (input - zero_point) scale`. Its operand is an integer: no
    derivative.

    Constraints: (C1) `scale` is positive and finite in the result's type; (C2) `zero_point` fits i8.
    Residuals: none.
    Example: `%w = tt.dequantise %q scale = 0.02 zero_point = 3 : tensor<4x8xi8> -> tensor<4x8xf32>`
  }];
  let arguments = (ins TT_TensorOf<[I8]>:$input, F64Attr:$scale,
                       I64Attr:$zero_point);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$input `scale` `=` $scale `zero_point` `=` $zero_point attr-dict `:` type($input) `->` type($output)";
  let hasVerifier = 1;
}
#endif
