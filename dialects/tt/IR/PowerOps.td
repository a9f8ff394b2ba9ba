#ifndef TT_IR_POWEROPS_TD
#define TT_IR_POWEROPS_TD

include "tt/IR/ElementwiseOps.td"

def TT_PowOp : TT_UnaryOp<"pow"> {
  let summary = "Elementwise power with a constant exponent";
  let description = [{
    `output = input^exponent`, derivative `exponent input^(exponent - 1)`, 0
    where the exponent is 0. `input^0` is 1, NaN included. A negative input with
    an exponent that is not an integer gives NaN.

    f32 on the CPU: with n the exponent cut to an integer and f the rest,
    `input^n` by repeated squaring (`1 / input^|n|` for n < 0) times `input^f`,
    which is nothing for f = 0, `sqrt` for |f| = 1/2 and `e^(f ln input)` else.
    |n| above 64 takes `e^(n ln |input|)` with the sign of an odd n.

    Constraints: (C1) `exponent` is finite, also in f32, or f64 for f64.
    Residuals: `input`.
    Example: `%y = tt.pow %x exponent = 2.5 : tensor<4x8xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$input, F64Attr:$exponent);
  let assemblyFormat = "$input `exponent` `=` $exponent attr-dict `:` type($output)";
  let hasVerifier = 1;
  let hasFolder = 1;
}
def TT_Relu2Op : TT_UnaryOp<"relu2"> {
  let summary = "Square of the rectified linear unit";
  let description = [{
    `output = max(input, 0)^2`, derivative `2 max(input, 0)`.

    Constraints: operand and result have one type.
    Residuals: `input`.
    Example: `%y = tt.relu2 %x : tensor<4x8xf32>`
  }];
}
def TT_SoftplusOp : TT_UnaryOp<"softplus"> {
  let summary = "Smooth rectified linear unit";
  let description = [{
    `output = ln(1 + e^input) = max(input, 0) + ln(1 + e^-|input|)`, derivative
    `sigmoid(input)`. Never inf/inf. On the CPU a result below the smallest normal
    number is 0.

    Constraints: operand and result have one type.
    Residuals: `input`.
    Example: `%y = tt.softplus %x : tensor<4x8xf32>`
  }];
}
def TT_Log1pOp : TT_UnaryOp<"log1p"> {
  let summary = "Elementwise ln(1 + x), exact near 0";
  let description = [{
    `output = ln(1 + input)`, derivative `1 / (1 + input)`.

    Constraints: operand and result have one type.
    Residuals: `input`.
    Example: `%y = tt.log1p %x : tensor<4x8xf32>`
  }];
}
def TT_Expm1Op : TT_UnaryOp<"expm1"> {
  let summary = "Elementwise e^x - 1, exact near 0";
  let description = [{
    `output = e^input - 1`, derivative `output + 1`, as the output is what is kept:
    in f32 it is 0 where the output is -1, from -17.4 down.

    Constraints: operand and result have one type.
    Residuals: `output`.
    Example: `%y = tt.expm1 %x : tensor<4x8xf32>`
  }];
}
#endif
