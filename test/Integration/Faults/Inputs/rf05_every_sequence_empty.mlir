// No key belongs to a query's document: everything is 0, and written.
// input: fill(37,11)
// input: fill(53,29)
// input: fill(71,3)
// input: 1 1 2
// input: 3 4 4 5
// cotangent: fill(17,5)
// result 0: full(0)
// gradient 0: full(0)
// gradient 1: full(0)
// gradient 2: full(0)
func.func @f(%q: tensor<1x1x3x2xf32>, %k: tensor<1x1x4x2xf32>, %v: tensor<1x1x4x2xf32>, %s: tensor<1x3xi32>, %t: tensor<1x4xi32>) -> tensor<1x1x3x2xf32> {
  %o, %lse = tt.attention %q, %k, %v segments(%s, %t) causal scale = 0.70710678118654752440 : (tensor<1x1x3x2xf32>, tensor<1x1x4x2xf32>, tensor<1x1x4x2xf32>, tensor<1x3xi32>, tensor<1x4xi32>) -> (tensor<1x1x3x2xf32>, tensor<1x1x3xf32>)
  return %o : tensor<1x1x3x2xf32>
}
