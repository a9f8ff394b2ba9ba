// The alignment does not change with the sign of Tk - Tq: rows 0 and 1 see no key.
// input: full(0)
// input: full(0)
// input: 1 2
// result 0: 0 0 1 1.5
// gradient 2: 1.5 0.5
func.func @f(%q: tensor<1x1x4x1xf32>, %k: tensor<1x1x2x1xf32>, %v: tensor<1x1x2x1xf32>) -> tensor<1x1x4x1xf32> {
  %o, %lse = tt.attention %q, %k, %v causal scale = 1.0 : (tensor<1x1x4x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>) -> (tensor<1x1x4x1xf32>, tensor<1x1x4xf32>)
  return %o : tensor<1x1x4x1xf32>
}
