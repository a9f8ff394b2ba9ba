func.func @loss(%p: tensor<3x1x4xf32> {tt.param = "p"}) -> (tensor<f32> {tt.output = "loss"}) {
  %q = tt.pad %p dim = 2 low = 2 high = 0 : (tensor<3x1x4xf32>) -> tensor<3x1x6xf32>
  %qt = tt.tanh %q : tensor<3x1x6xf32>
  %l2 = tt.mean %qt dims = [0, 1, 2] : (tensor<3x1x6xf32>) -> tensor<f32>
  %s = tt.square %p : tensor<3x1x4xf32>
  %l = tt.mean %s dims = [0, 1, 2] : (tensor<3x1x4xf32>) -> tensor<f32>
  %r2 = tt.add %l, %l2 : tensor<f32>
  return %r2 : tensor<f32>
}
