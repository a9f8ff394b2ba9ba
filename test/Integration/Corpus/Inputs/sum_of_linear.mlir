func.func @loss(%w: tensor<4x3xf32> {tt.param = "w"}, %x: tensor<2x4xf32> {tt.input = "x"}) -> (tensor<f32> {tt.output = "loss"}) {
  %y = tt.linear in_out %x, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %m = tt.sum %y dims = [0, 1] : (tensor<2x3xf32>) -> tensor<f32>
  return %m : tensor<f32>
}
