#ifndef TT_IR_ROPEOPS_TD
#define TT_IR_ROPEOPS_TD

include "tt/IR/TTBase.td"

def TT_RopeLayout : I32EnumAttr<"RopeLayout", "pairing of rope", [
    I32EnumAttrCase<"HalfSplit", 0, "half_split">,
    I32EnumAttrCase<"Interleaved", 1, "interleaved">]> {
  let cppNamespace = "::tt";
}
def TT_RopeOp : TT_InferOp<"rope"> {
  let summary = "Rotary position embedding";
  let description = [{
    Rotates pair i of the last dimension (size D) of row t by
    `angle = position[t] * theta^(-2i/D)`: `(a, b) -> (a cos - b sin,
    a sin + b cos)`. `half_split` pairs i with i + D/2, `interleaved` 2i with
    2i + 1. `inverse` rotates back; it is the adjoint. Positions default to
    0 .. T-1 of the last but one dimension. Angles are formed in f64.

    Constraints: (C1) rank >= 2 and an even last dimension; (C2) `positions`,
    if given, is [T]; (C3) `theta` is positive.
    Residuals: `positions`.
    Example: `%y = tt.rope half_split %x theta = 1.0e4 : (tensor<1x2x8x64xf32>) -> tensor<1x2x8x64xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$input, Optional<TT_IndexTensor>:$positions,
                       F64Attr:$theta, TT_RopeLayout:$layout, UnitAttr:$inverse);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$layout (`inverse` $inverse^)? $input (`positions` `(` $positions^ `)`)? `theta` `=` $theta attr-dict `:` functional-type(operands, results)";
}
#endif
