#ifndef TT_IR_GATEDOPS_TD
#define TT_IR_GATEDOPS_TD

include "tt/IR/ElementwiseOps.td"

class TT_GatedOp<string mnemonic>
    : TT_DiffOp<mnemonic, [Elementwise, SameOperandsAndResultType,
                           TT_Decomposable]> {
  let arguments = (ins TT_FloatTensor:$gate, TT_FloatTensor:$up);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$gate `,` $up attr-dict `:` type($output)";
}
def TT_GegluOp : TT_GatedOp<"geglu"> {
  let summary = "Gated unit: gelu(gate) * up";
  let description = [{
    `output = gelu(gate) * up`, in the form of `tt.gelu` that is named.

    Constraints: operands and result have one type.
    Residuals: `gate`; `up` if `gate` is active.
    Example: `%y = tt.geglu tanh %gate, %up : tensor<4x8xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$gate, TT_FloatTensor:$up,
                       TT_GeluApprox:$approx);
  let assemblyFormat = "$approx $gate `,` $up attr-dict `:` type($output)";
}
def TT_RegluOp : TT_GatedOp<"reglu"> {
  let summary = "Gated unit: relu(gate) * up";
  let description = [{
    `output = max(gate, 0) * up`; the derivative of relu at 0 is 0.

    Constraints: operands and result have one type.
    Residuals: `gate`; `up` if `gate` is active.
    Example: `%y = tt.reglu %gate, %up : tensor<4x8xf32>`
  }];
}
#endif
