// tanh near 1: 1 - y^2 has few digits in f32, and the certificate knows.
func.func @loss(%w: tensor<4x4xf32> {tt.param = "w", tt.init = "normal:0.5"}, %x: tensor<3x4xf32> {tt.input = "x"}) -> (tensor<f32> {tt.output = "loss"}) {
  %y = tt.linear in_out %x, %w : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  %k = tt.constant dense<6.0> : tensor<3x4xf32>
  %z = tt.add %y, %k : tensor<3x4xf32>
  %t = tt.tanh %z : tensor<3x4xf32>
  %loss = tt.sum %t dims = [0, 1] : (tensor<3x4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
