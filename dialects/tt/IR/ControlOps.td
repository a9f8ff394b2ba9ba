#ifndef TT_IR_CONTROLOPS_TD
#define TT_IR_CONTROLOPS_TD

include "tt/IR/TTBase.td"

def TT_StopGradientOp : TT_DiffOp<"stop_gradient", [SameOperandsAndResultType]> {
  let summary = "Identity that passes no cotangent";
  let description = [{
    `output = input`; derivative 0 by definition.

    Constraints: operand and result have one type.
    Residuals: none.
    Example: `%y = tt.stop_gradient %x : tensor<4xf32>`
  }];
  let arguments = (ins TT_Tensor:$input);
  let results = (outs TT_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` type($output)";
}
def TT_RematBarrierOp : TT_Op<"remat_barrier",
    [Pure, AllTypesMatch<["input", "output"]>]> {
  let summary = "Identity that a recomputation reads its inputs through";
  let description = [{
    `output = input`, not before `after` exists. The data dependence keeps the
    clone of a forward op apart from the original (no CSE) and behind the
    cotangent that needs it (no hoisting). Has no folder; a dead one dies.

    Constraints: `input` and the result have one type.
    Example: `%y = tt.remat_barrier %x after %dy : tensor<4xf32>, tensor<8xf32>`
  }];
  let arguments = (ins TT_Tensor:$input, TT_Tensor:$after);
  let results = (outs TT_Tensor:$output);
  let assemblyFormat = "$input `after` $after attr-dict `:` type($input) `,` type($after)";
}
#endif
