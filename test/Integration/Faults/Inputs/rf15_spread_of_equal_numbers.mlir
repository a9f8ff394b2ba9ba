// Variance of equal numbers: value 0, gradient 0.
// input: 1 1 1 1
// result 0: 0
// gradient 0: 0 0 0 0
func.func @f(%x: tensor<4xf32>) -> tensor<f32> {
  %v = tt.variance %x dims = [0] : (tensor<4xf32>) -> tensor<f32>
  return %v : tensor<f32>
}
