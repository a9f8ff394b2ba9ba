// Inputs of a self-check are in their range.
func.func @loss(%w: tensor<4x6xf32> {tt.param="w", tt.init="normal:1"}, %t: tensor<4x6xf32> {tt.input="t", check.range=[0.1,1.0]}) -> (tensor<f32> {tt.output="loss"}) {
  %q = tt.log_softmax %w : tensor<4x6xf32>
  %l = tt.kl_div mean %q, %t : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
