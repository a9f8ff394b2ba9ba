// input: 1
// gradient 0: 2721.0001
func.func @f(%z: tensor<f32>) -> tensor<f32> {
  %e = tt.exp %z : tensor<f32>
  %w = tt.broadcast %e dims = [] : tensor<f32> -> tensor<1000xf32>
  %zero = tt.constant dense<0.0> : tensor<1000xf32>
  %d = tt.sub %w, %zero : tensor<1000xf32>
  %s = tt.sum %d dims = [0] : (tensor<1000xf32>) -> tensor<f32>
  %y = tt.add %e, %s : tensor<f32>
  return %y : tensor<f32>
}
