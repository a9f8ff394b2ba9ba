#ifndef TT_IR_RANDOMOPS_TD
#define TT_IR_RANDOMOPS_TD

include "tt/IR/TTBase.td"

def TT_RngKeyOp : TT_Op<"rng_key", [Pure]> {
  let summary = "The key of a step";
  let description = [{
    `key = philox4x32-10(counter = (step.lo, step.hi, 0, 0x74740000),
    key = (seed.lo, seed.hi))[0:2]`.

    Constraints: both operands are i64 scalars.
    Residuals: none: a key has no derivative.
    Example: `%key = tt.rng_key %seed, %step : (tensor<i64>, tensor<i64>) -> tensor<2xi32>`
  }];
  let arguments = (ins TT_ScalarInt:$seed, TT_ScalarInt:$step);
  let results = (outs TT_Key:$key);
  let assemblyFormat = "$seed `,` $step attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}
def TT_RngFoldOp : TT_Op<"rng_fold", [Pure, SameOperandsAndResultType]> {
  let summary = "The key of a call site";
  let description = [{
    `result = philox4x32-10(counter = (site, 0, 0, 0x74740001), key)[0:2]`.

    Constraints: (C1) `site` is in [0, 2^32) and unique among the rng_fold,
    dropout and attention ops of its function that share the key (checked by the function's
    `--tt-verify-form`).
    Residuals: none: a key has no derivative.
    Example: `%k = tt.rng_fold %key site = 3 : tensor<2xi32>`
  }];
  let arguments = (ins TT_Key:$key, I64Attr:$site);
  let results = (outs TT_Key:$result);
  let assemblyFormat = "$key `site` `=` $site attr-dict `:` type($result)";
  let hasVerifier = 1;
}
def TT_DropoutOp : TT_InferOp<"dropout"> {
  let summary = "Random zeros, the rest scaled up";
  let description = [{
    `output = keep ? input / (1 - p) : 0`, where element e (row-major, inside
    its sample) of sample n keeps iff `u >= round(p 2^32)` for
    `u = philox4x32-10(counter = (e / 4, n, site, 0x74740002), key)[e % 4]`.
    Samples are the `samples` equal parts of the leading dimensions. Linear in
    `input`: the adjoint is the same op on the cotangent.

    Constraints: (C1) `p` is in [0, 1); (C2) `samples` is positive and divides
    the number of elements; (C3) `site` is in [0, 2^32).
    Residuals: `key`.
    Example: `%y = tt.dropout %x, %key p = 0.1 site = 0 samples = 2 : (tensor<2x8xf32>, tensor<2xi32>) -> tensor<2x8xf32>`
  }];
  let arguments = (ins TT_FloatTensor:$input, TT_Key:$key, F64Attr:$p,
                       I64Attr:$site, I64Attr:$samples);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$input `,` $key `p` `=` $p `site` `=` $site `samples` `=` $samples attr-dict `:` functional-type(operands, results)";
}
def TT_DropoutTileOp : TT_Op<"dropout_tile", [Pure, AllTypesMatch<["input", "output"]>]> {
  let summary = "Dropout of a tile of a larger tensor";
  let description = [{
    What `tt.dropout` does to a rectangle of its input: element (r, c) of the
    tile is element `e = first + r * row_stride + c` of sample `sample`. Only
    inside of tiled kernels, where both are indices known at run time.

    Constraints: (C1) `input` has rank 2; (C2) `p` is in [0, 1); (C3) `site` is in
    [0, 2^32); (C4) `row_stride` is positive.
    Residuals: none: kernels are made after differentiation.
    Example: `%y = tt.dropout_tile %x, %key sample %b first %e p = 0.1 site = 0 row_stride = 40 : tensor<8x16xf32>, tensor<2xi32>`
  }];
  let arguments = (ins TT_FloatTensor:$input, TT_Key:$key, Index:$sample,
                       Index:$first, F64Attr:$p, I64Attr:$site,
                       I64Attr:$row_stride);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$input `,` $key `sample` $sample `first` $first `p` `=` $p `site` `=` $site `row_stride` `=` $row_stride attr-dict `:` type($input) `,` type($key)";
  let hasVerifier = 1;
}
class TT_RandomOp<string mnemonic> : TT_Op<mnemonic, [Pure]> {
  let arguments = (ins TT_Key:$key, I64Attr:$site, I64Attr:$samples);
  let results = (outs TT_FloatTensor:$output);
  let assemblyFormat = "$key `site` `=` $site `samples` `=` $samples attr-dict `:` type($key) `->` type($output)";
  let hasVerifier = 1;
}
def TT_RandomUniformOp : TT_RandomOp<"random_uniform"> {
  let summary = "Uniform random numbers in [0, 1)";
  let description = [{
    Element e (row-major, inside its sample) of sample n is `(u >> 8) 2^-24` for
    `u = philox4x32-10(counter = (e / 4, n, site, 0x74740003), key)[e % 4]`.
    Samples are the `samples` equal parts of the leading dimensions. The key is
    no value to differentiate; scale and shift with other ops.

    Constraints: (C1) `samples` is positive and divides the number of elements;
    (C2) `site` is in [0, 2^32), and unique as that of `tt.dropout`.
    Residuals: none.
    Example: `%u = tt.random_uniform %key site = 0 samples = 2 : tensor<2xi32> -> tensor<2x8xf32>`
  }];
}
def TT_RandomNormalOp : TT_RandomOp<"random_normal"> {
  let summary = "Normal random numbers, mean 0 and variance 1";
  let description = [{
    With the four words `w = philox4x32-10(counter = (e / 4, n, site,
    0x74740004), key)` of element e of sample n, and i = 2 floor((e % 4) / 2):
    `r = sqrt(-2 ln(((w[i] >> 8) + 1) 2^-24))`, `a = 2 pi (w[i + 1] >> 8) 2^-24`,
    and the element is `r cos a` for even e, `r sin a` for odd e.

    Constraints: (C1) `samples` is positive and divides the number of elements;
    (C2) `site` is in [0, 2^32), and unique as that of `tt.dropout`.
    Residuals: none.
    Example: `%z = tt.random_normal %key site = 0 samples = 2 : tensor<2xi32> -> tensor<2x8xf32>`
  }];
}
#endif
