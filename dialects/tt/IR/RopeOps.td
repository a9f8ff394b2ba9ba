#ifndef TT_IR_ROPEOPS_TD
#define TT_IR_ROPEOPS_TD

include "tt/IR/TTBase.td"

def TT_RopeLayout : I32EnumAttr<"RopeLayout", "pairing of rope", [
    I32EnumAttrCase<"HalfSplit", 0, "half_split">,
    I32EnumAttrCase<"Interleaved", 1, "interleaved">]> {
  let cppNamespace = "::tt";
}
def TT_RopeScaling : I32EnumAttr<"RopeScaling", "scaling of rope's frequencies", [
    I32EnumAttrCase<"Linear", 0, "linear">, I32EnumAttrCase<"Ntk", 1, "ntk">,
    I32EnumAttrCase<"Llama3", 2, "llama3">]> {
  let cppNamespace = "::tt";
}
def TT_RopeOp : TT_InferOp<"rope"> {
  let summary = "Rotary position embedding";
  let description = [{
    Rotates pair i of the last dimension (size D) of row t by
    `angle = position[t] * f(i)`: `(a, b) -> (a cos - b sin, a sin + b cos)`.
    `half_split` pairs i with i + D/2, `interleaved` 2i with 2i + 1. `inverse`
    rotates back; it is the adjoint. Positions default to 0 .. T-1 of the last but
    one dimension; [B, T] gives every leading index b its own row. Angles are
    formed in f64.

    Frequencies: `f(i) = theta^(-2i/D)`. `linear(s)`: f / s. `ntk(s)`: theta times
    `s^(D/(D-2))` (nothing for D = 2). `llama3(s, low, high, context)`: with the
    wavelength `w = 2 pi / f`, f where `w < context/high`, f / s where
    `w > context/low`, and `(1 - m) f/s + m f`, `m = (context/w - low) / (high -
    low)`, between them.

    Constraints: (C1) rank >= 2 and an even last dimension; (C2) `positions`,
    if given, is [T], or [B, T] with the first dimension B of an operand of rank
    >= 3; (C3) `theta` is positive and finite; (C4) `scaling` comes with a factor of at
    least 1, and `llama3` with `0 < low < high` and a positive context.
    Residuals: `positions`.
    Example: `%y = tt.rope half_split %x theta = 1.0e4 : (tensor<1x2x8x64xf32>) -> tensor<1x2x8x64xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$input, Optional<TT_IndexTensor>:$positions,
                       F64Attr:$theta, TT_RopeLayout:$layout, UnitAttr:$inverse,
                       OptionalAttr<TT_RopeScaling>:$scaling,
                       OptionalAttr<F64Attr>:$factor,
                       OptionalAttr<F64Attr>:$low_frequency,
                       OptionalAttr<F64Attr>:$high_frequency,
                       OptionalAttr<I64Attr>:$original_context);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = [{
    $layout (`inverse` $inverse^)? $input (`positions` `(` $positions^ `)`)?
    `theta` `=` $theta
    (`scaling` custom<RopeScaling>($scaling, $factor, $low_frequency, $high_frequency, $original_context)^)?
    attr-dict `:` functional-type(operands, results)
  }];
}
#endif
