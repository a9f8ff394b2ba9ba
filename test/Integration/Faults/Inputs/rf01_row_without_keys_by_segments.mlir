// The same by segments and a window: query 1 has a number that no key has, query 0
// sees one key beyond its own.
// input: 1 0 0 1 1 1
// input: 1 2 0 1 -1 1
// input: 1 0 0 2 3 1
// input: 0 5 0
// input: 0 0 0
// result 0: 0.669762 0.660477 0 0 0.997527 0.444689
// gradient 0: -0.156399 -0.156399 0 0 -0.388484 -0.229418
// gradient 1: -0.385816 -0.229418 0.22675 0.070351 0.159066 0.159066
// gradient 2: 1.403443 1.403443 0.508609 0.508609 0.087949 0.087949
func.func @f(%q: tensor<1x1x3x2xf32>, %k: tensor<1x1x3x2xf32>, %v: tensor<1x1x3x2xf32>, %qs: tensor<1x3xi32>, %ks: tensor<1x3xi32>) -> tensor<1x1x3x2xf32> {
  %o, %lse = tt.attention %q, %k, %v segments(%qs, %ks) scale = 0.70710678118654752440 {window_right = 1 : i64} : (tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>, tensor<1x3xi32>, tensor<1x3xi32>) -> (tensor<1x1x3x2xf32>, tensor<1x1x3xf32>)
  return %o : tensor<1x1x3x2xf32>
}
