// dK and dV are sums over the query heads of a group.
// input: full(1)
// input: full(1)
// input: full(1)
// cotangent: 1 2 3 4
// gradient 1: 0 0
// gradient 2: 3 7
func.func @f(%q: tensor<1x4x1x1xf32>, %k: tensor<1x2x1x1xf32>, %v: tensor<1x2x1x1xf32>) -> tensor<1x4x1x1xf32> {
  %o, %lse = tt.attention %q, %k, %v scale = 1.0 : (tensor<1x4x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> (tensor<1x4x1x1xf32>, tensor<1x4x1xf32>)
  return %o : tensor<1x4x1x1xf32>
}
