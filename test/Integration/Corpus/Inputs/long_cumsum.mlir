// The terms behind an element of a scan are as many as its dimension.
func.func @loss(%w: tensor<500x4xf32> {tt.param="w", tt.init="normal:1"}) -> (tensor<f32> {tt.output="loss"}) {
  %c = tt.cumsum %w dim = 0 : (tensor<500x4xf32>) -> tensor<500x4xf32>
  %t = tt.tanh %c : tensor<500x4xf32>
  %l = tt.mean %t dims = [0,1] : (tensor<500x4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
