// The loss is a view of what the step updates.
func.func @loss(%w: tensor<1x1xf32> {tt.param = "w", tt.init = "normal:0.5"}) -> (tensor<f32> {tt.output = "loss"}) {
  %l = tt.reshape %w : tensor<1x1xf32> -> tensor<f32>
  return %l : tensor<f32>
}
