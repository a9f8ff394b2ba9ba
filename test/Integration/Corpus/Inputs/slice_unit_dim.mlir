func.func @loss(%p: tensor<3x1x6xf32> {tt.param = "p"}) -> (tensor<f32> {tt.output = "loss"}) {
  %q = tt.slice %p dim = 2 start = 2 size = 4 : (tensor<3x1x6xf32>) -> tensor<3x1x4xf32>
  %qt = tt.tanh %q : tensor<3x1x4xf32>
  %l2 = tt.mean %qt dims = [0, 1, 2] : (tensor<3x1x4xf32>) -> tensor<f32>
  return %l2 : tensor<f32>
}
