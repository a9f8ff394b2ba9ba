// The loss reads lse alone.
func.func @loss(%q: tensor<2x4x9x8xf32> {tt.param = "q", tt.init = "normal:0.7"}, %k: tensor<2x2x13x8xf32> {tt.param = "k", tt.init = "normal:0.7"}) -> (tensor<f32> {tt.output = "loss"}) {
  %o, %l = tt.attention %q, %k, %k causal scale = 0.5 : (tensor<2x4x9x8xf32>, tensor<2x2x13x8xf32>, tensor<2x2x13x8xf32>) -> (tensor<2x4x9x8xf32>, tensor<2x4x9xf32>)
  %0 = tt.square %l : tensor<2x4x9xf32>
  %1 = tt.sum %0 dims = [0, 1, 2] : (tensor<2x4x9xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}
