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
    OptionalAttr<I64Attr>:$site, OptionalAttr<I64Attr>:$block_q,
    OptionalAttr<I64Attr>:$block_k);

def TT_AttentionOp : TT_InferOp<"attention", [AttrSizedOperandSegments,
    TT_Decomposable, DeclareOpInterfaceMethods<TT_CostOpInterface>]> {
  let summary = "Scaled dot-product attention";
  let description = [{
    `p = softmax(s)` over the visible keys, `output = drop(p) v`,
    `lse = ln(sum e^s + e^sink)` (natural logarithm). q is [B, H, T, D], k and v
    are [B, Hk, S, D]; query head h reads key head `h / (H / Hk)`.

    Score of query i and key j, whose place on the query's axis is
    `last = i + S - T` (bottom-right alignment: the last query stands at the
    last key): `s = cap(scale q_i k_j) + bias_ij - slope_h |last - j|`, where
    `cap(x) = softcap tanh(x / softcap)` and absent terms are 0.

    Key j is visible to query i if all of these hold:
    - segments: `q_segments[i] == k_segments[j]`. Documents packed in a row have
      one number each; padding is a number that no query has.
    - bias: `bias_ij` is not -inf.
    - causal: `j <= last`; window: `last - window_left <= j <= last +
      window_right`. Keys `j < prefix` pass both tests.
    Scores of hidden keys are not looked at. Their rows of k and v are numbers,
    though: an infinity or NaN there reaches the rows whose tiles hold the key, as
    0 times it, and which these are depends on the tiles and so on the vector
    level. Fill unused rows with 0.

    `sinks` adds `e^sink_h` to the denominator of head h, and no value.
    `drop` is `tt.dropout` with this `key` and `site`, p = `dropout_p` and
    samples = B, on the probabilities as [B, H, T, S]: element
    `e = (h T + i) S + j` of sample b is kept iff `u >= round(dropout_p 2^32)`
    for `u = philox4x32-10(counter = (e / 4, b, site, 0x74740002), key)[e % 4]`;
    a kept p is divided by `1 - dropout_p`. lse is that of p before.

    A row that sees no key gives output 0, lse -inf (sink or not) and zero
    gradients, and its q and d_output are not read. Softmax and sums are f32, or
    f64 for f64, taken over key blocks of `block_k` in increasing order.

    Constraints: (C1) q, k, v have rank 4 and one element type; (C2) batch and
    head size agree, k and v have one shape; (C3) H is a multiple of Hk;
    (C4) segments are [B, T] and [B, S] of one type and come together, slopes and
    sinks are [H], bias is [B or 1, H or 1, T, S]; (C5) windows and prefix are in
    [0, 2^30], block sizes are positive, scale is finite and softcap positive and
    finite, in f32, or f64 for f64; (C6) `dropout_p` is in [0, 1), `site` is in
    [0, 2^32), and they and `key` come together;
    (C7) with `causal`, `window_right` is absent or 0; `prefix` is at most S and
    comes with `causal` or a window.

    Both results are differentiable, in q, k, v, bias, slopes and sinks. A bias
    dimension of size 1 sums. Slopes as a trained value go through a bias of
    [1, H, T, S].
    Residuals: q, k, v, output, lse, segments, slopes, bias, key; sinks if they
    are active.
    Example:
    ```mlir
    %o, %lse = tt.attention %q, %k, %v causal scale = 0.125 {window_left = 4 : i64}
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
    TT_Decomposable, DeclareOpInterfaceMethods<TT_CostOpInterface>]> {
  let summary = "Adjoint of attention in q, k, v and bias";
  let description = [{
    Recomputes `p = e^(s - lse)` from q, k and lse:
    `delta = rowsum(d_output * output) - d_lse`, `dv = drop(p)^T d_output`,
    `ds = p * (drop(d_output v^T) - delta)`, `d_bias = ds`,
    `dz = scale ds (1 - tanh^2(scale q k^T / softcap))`, `dq = dz k`,
    `dk = dz^T q`; the factor of softcap is 1 without one and comes from the
    score before bias and mask. dk and dv are summed over the query heads of a
    group, d_bias over its dimensions of size 1. 5 matrix products. The result
    d_bias is there with `with_d_bias`; a hidden key has d_bias 0. `sinks` has
    no part in it: lse knows them.

    Constraints: as `tt.attention`; (C8) output and d_output have q's type, lse
    and d_lse that of the forward's lse; (C9) `with_d_bias` comes with a bias.
    Residuals: none: a gradient of this gradient goes through the decomposition.
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
                            TT_StatTensor:$lse, TT_FloatTensor:$d_output,
                            Optional<TT_StatTensor>:$d_lse),
                       TT_AttentionMaskArgs, (ins UnitAttr:$with_d_bias));
  let results = (outs TT_FloatTensor:$dq, TT_FloatTensor:$dk,
                      TT_FloatTensor:$dv, Optional<TT_FloatTensor>:$d_bias);
  let assemblyFormat = [{
    $q `,` $k `,` $v `,` $output `,` $lse `,` $d_output (`d_lse` `(` $d_lse^ `)`)?
    (`segments` `(` $q_segments^ `,` $k_segments `)`)?
    (`slopes` `(` $slopes^ `)`)? (`bias` `(` $bias^ `)`)?
    (`sinks` `(` $sinks^ `)`)? (`key` `(` $key^ `)`)? (`causal` $causal^)?
    (`with_d_bias` $with_d_bias^)?
    `scale` `=` $scale attr-dict `:` functional-type(operands, results)
  }];
}
#endif
