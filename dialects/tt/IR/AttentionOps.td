#ifndef TT_IR_ATTENTIONOPS_TD
#define TT_IR_ATTENTIONOPS_TD

include "tt/IR/TTBase.td"

// The operands and attributes that say which keys a query sees and how a score
// is changed before the softmax; shared by the op and its adjoint.
defvar TT_AttentionMaskArgs = (ins
    Optional<TT_IndexTensor>:$q_segments, Optional<TT_IndexTensor>:$k_segments,
    Optional<TT_FloatTensor>:$slopes, Optional<TT_FloatTensor>:$bias,
    Optional<TT_FloatTensor>:$sinks, Optional<TT_Key>:$key,
    F64Attr:$scale, UnitAttr:$causal, OptionalAttr<I64Attr>:$window_left,
    OptionalAttr<I64Attr>:$window_right, OptionalAttr<I64Attr>:$prefix,
    OptionalAttr<F64Attr>:$softcap, OptionalAttr<F64Attr>:$dropout_p,
    OptionalAttr<I64Attr>:$block_q, OptionalAttr<I64Attr>:$block_k);

def TT_AttentionOp : TT_InferOp<"attention", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<TT_CostOpInterface>]> {
  let summary = "Scaled dot-product attention";
  let description = [{
    `s = scale * q k^T`, `p = softmax(s)` over the visible keys, `output = p v`,
    `lse = ln sum e^s` (natural logarithm). q is [B, H, T, D], k and v are
    [B, Hk, S, D]; query head h reads key head `h / (H / Hk)`. With `causal`,
    query i sees keys `j <= i + S - T` (bottom-right alignment).

    Order of the score's changes: scale, softcap `c tanh(s/c)`, bias, slopes
    (`-slope * distance`), then the mask (causal, window, segments, prefix).
    A row that sees no key gives output 0, lse -inf and zero gradients. Softmax
    and sums are f32, or f64 for f64, taken over key blocks of `block_k` in
    increasing order.

    Constraints: (C1) q, k, v have rank 4 and one element type; (C2) batch and
    head size agree, k and v have one shape; (C3) H is a multiple of Hk;
    (C4) segments are [B, T] and [B, S] and come together, slopes and sinks are
    [H], bias is [B or 1, H or 1, T, S]; (C5) windows and prefix are not
    negative, softcap is positive, block sizes are positive; (C6) `dropout_p`
    is in [0, 1) and comes with `key`.
    Residuals: q, k, v, output, lse.
    Example:
    ```mlir
    %o, %lse = tt.attention %q, %k, %v causal scale = 0.125
        : (tensor<1x2x8x64xf32>, tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>)
       -> (tensor<1x2x8x64xf32>, tensor<1x2x8xf32>)
    ```
  }];
  let arguments = !con((ins TT_FloatTensor:$q, TT_FloatTensor:$k,
                            TT_FloatTensor:$v), TT_AttentionMaskArgs);
  let results = (outs TT_FloatTensor:$output, TT_StatTensor:$lse);
  let assemblyFormat = [{
    $q `,` $k `,` $v (`segments` `(` $q_segments^ `,` $k_segments `)`)?
    (`slopes` `(` $slopes^ `)`)? (`bias` `(` $bias^ `)`)?
    (`sinks` `(` $sinks^ `)`)? (`key` `(` $key^ `)`)? (`causal` $causal^)?
    `scale` `=` $scale attr-dict `:` functional-type(operands, results)
  }];
}
def TT_AttentionBwdOp : TT_AdjointOp<"attention_bwd", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<TT_CostOpInterface>]> {
  let summary = "Adjoint of attention in q, k and v";
  let description = [{
    Recomputes `p = e^(s - lse)` from q, k and lse:
    `delta = rowsum(d_output * output)`, `dv = p^T d_output`,
    `ds = p * (d_output v^T - delta)`, `dq = scale ds k`, `dk = scale ds^T q`;
    dk and dv are summed over the query heads of a group. 5 matrix products.

    Constraints: as `tt.attention`.
    Example:
    ```mlir
    %dq, %dk, %dv = tt.attention_bwd %q, %k, %v, %o, %lse, %do causal scale = 0.125
        : (tensor<1x2x8x64xf32>, tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>,
           tensor<1x2x8x64xf32>, tensor<1x2x8xf32>, tensor<1x2x8x64xf32>)
       -> (tensor<1x2x8x64xf32>, tensor<1x1x8x64xf32>, tensor<1x1x8x64xf32>)
    ```
  }];
  let arguments = !con((ins TT_FloatTensor:$q, TT_FloatTensor:$k,
                            TT_FloatTensor:$v, TT_FloatTensor:$output,
                            TT_StatTensor:$lse, TT_FloatTensor:$d_output),
                       TT_AttentionMaskArgs);
  let results = (outs TT_FloatTensor:$dq, TT_FloatTensor:$dk, TT_FloatTensor:$dv);
  let assemblyFormat = [{
    $q `,` $k `,` $v `,` $output `,` $lse `,` $d_output
    (`segments` `(` $q_segments^ `,` $k_segments `)`)?
    (`slopes` `(` $slopes^ `)`)? (`bias` `(` $bias^ `)`)?
    (`sinks` `(` $sinks^ `)`)? (`key` `(` $key^ `)`)? (`causal` $causal^)?
    `scale` `=` $scale attr-dict `:` functional-type(operands, results)
  }];
}
#endif
