// A key that nothing draws from keeps its two words in the twin.
func.func @loss(%w: tensor<4x4xf32> {tt.param = "w", tt.init = "normal:0.5"}, %x: tensor<3x4xf32> {tt.input = "x"}, %key: tensor<2xi32> {tt.input = "key"}) -> (tensor<f32> {tt.output = "loss"}) {
  %y = tt.linear in_out %x, %w : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  %t = tt.tanh %y : tensor<3x4xf32>
  %loss = tt.sum %t dims = [0, 1] : (tensor<3x4xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
