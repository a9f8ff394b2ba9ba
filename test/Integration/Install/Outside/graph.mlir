func.func @loss(%w: tensor<4x4xf32> {tt.param = "w", tt.init = "normal:0.1"},
                %x: tensor<8x4xf32> {tt.input = "x"}) -> (tensor<f32> {tt.output = "loss"}) {
  %y = tt.linear in_out %x, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %s = tt.square %y : tensor<8x4xf32>
  %l = tt.mean %s dims = [0, 1] : (tensor<8x4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
