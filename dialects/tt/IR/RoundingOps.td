#ifndef TT_IR_ROUNDINGOPS_TD
#define TT_IR_ROUNDINGOPS_TD

include "tt/IR/ElementwiseOps.td"

def TT_RoundOp : TT_UnaryOp<"round"> {
  let summary = "Rounds to the nearest integer, ties to even";
  let description = [{
    `output` is nearest integer, a tie to the even one. Derivative 0 everywhere: no
    cotangent passes, and a parameter that reaches the loss through this op alone
    counts as not reached. Use `tt.round_ste` for a
    straight-through derivative.

    Constraints: operand and result have one type.
    Residuals: none.
    Example: `%y = tt.round %x : tensor<4x8xf32>`
  }];
}
def TT_FloorOp : TT_UnaryOp<"floor"> {
  let summary = "Rounds down";
  let description = [{
    `output` is the greatest integer not above `input`. Derivative 0 everywhere: no
    cotangent passes, and a parameter that reaches the loss through this op alone
    counts as not reached.

    Constraints: operand and result have one type.
    Residuals: none.
    Example: `%y = tt.floor %x : tensor<4x8xf32>`
  }];
}
def TT_CeilOp : TT_UnaryOp<"ceil"> {
  let summary = "Rounds up";
  let description = [{
    `output` is the least integer not below `input`. Derivative 0 everywhere: no
    cotangent passes, and a parameter that reaches the loss through this op alone
    counts as not reached.

    Constraints: operand and result have one type.
    Residuals: none.
    Example: `%y = tt.ceil %x : tensor<4x8xf32>`
  }];
}
def TT_SignOp : TT_UnaryOp<"sign"> {
  let summary = "Elementwise sign";
  let description = [{
    `output` is 1 above 0, -1 below, else `input` itself (0, -0 or NaN). Derivative 0 everywhere: no
    cotangent passes, and a parameter that reaches the loss through this op alone
    counts as not reached.

    Constraints: operand and result have one type.
    Residuals: none.
    Example: `%y = tt.sign %x : tensor<4x8xf32>`
  }];
}
def TT_ClampOp : TT_UnaryOp<"clamp"> {
  let summary = "Brings values into a constant range";
  let description = [{
    `output = min(max(input, low), high)`; NaN stays NaN. Derivative 1 where
    `low <= input <= high`, both ends included, else 0.

    Constraints: (C1) `low <= high`; neither is NaN, either may be infinite, a
    finite one is finite in the element type.
    Residuals: `input`.
    Example: `%y = tt.clamp %x low = -1.0 high = 1.0 : tensor<4x8xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$input, F64Attr:$low, F64Attr:$high);
  let assemblyFormat = "$input `low` `=` $low `high` `=` $high attr-dict `:` type($output)";
  let hasVerifier = 1;
}
#endif
