// Causal is aligned bottom-right: the last query sees every key.
// input: full(0)
// input: full(0)
// input: 1 2 3 4
// result 0: 2 2.5
// gradient 2: 0.583333 0.583333 0.583333 0.25
func.func @f(%q: tensor<1x1x2x1xf32>, %k: tensor<1x1x4x1xf32>, %v: tensor<1x1x4x1xf32>) -> tensor<1x1x2x1xf32> {
  %o, %lse = tt.attention %q, %k, %v causal scale = 1.0 : (tensor<1x1x2x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>) -> (tensor<1x1x2x1xf32>, tensor<1x1x2xf32>)
  return %o : tensor<1x1x2x1xf32>
}
