// What the loss says about a row that sees no key is not read: NaN and inf do not
// spread to what all rows share.
// input: 1 0 0 1 1 1
// input: 1 2 0 1 -1 1
// input: 1 0 0 2 3 1
// input: 0 0 -inf -inf -inf -inf 0 0 0
// cotangent: 1 1 nan inf 1 1
// result 0: 0.669762 0.660477 0 0 0.997527 0.444689
// gradient 0: -0.156399 -0.156399 0 0 -0.388484 -0.229418
// gradient 1: -0.385816 -0.229418 0.22675 0.070351 0.159066 0.159066
// gradient 2: 1.403443 1.403443 0.508609 0.508609 0.087949 0.087949
func.func @f(%q: tensor<1x1x3x2xf32>, %k: tensor<1x1x3x2xf32>, %v: tensor<1x1x3x2xf32>, %bias: tensor<1x1x3x3xf32>) -> tensor<1x1x3x2xf32> {
  %o, %lse = tt.attention %q, %k, %v bias(%bias) scale = 0.70710678118654752440 : (tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x3xf32>) -> (tensor<1x1x3x2xf32>, tensor<1x1x3xf32>)
  return %o : tensor<1x1x3x2xf32>
}
