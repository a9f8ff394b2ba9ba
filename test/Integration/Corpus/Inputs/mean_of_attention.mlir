func.func @loss(%q: tensor<1x1x3x2xf32> {tt.param = "q"}, %k: tensor<1x1x3x2xf32> {tt.input = "k"}) -> (tensor<f32> {tt.output = "loss"}) {
  %o, %l = tt.attention %q, %k, %k causal scale = 1.0 : (tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> (tensor<1x1x3x2xf32>, tensor<1x1x3xf32>)
  %m = tt.mean %o dims = [0, 1, 2, 3] : (tensor<1x1x3x2xf32>) -> tensor<f32>
  return %m : tensor<f32>
}
