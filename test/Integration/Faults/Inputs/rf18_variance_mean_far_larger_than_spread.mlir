// The kind: the variance alone, 5/4, and its gradient (x - mean)/2.
// tolerance: 1e-3
// input: 40000 40001 40002 40003
// result 0: 1.25
// gradient 0: -0.75 -0.25 0.25 0.75
func.func @f(%x: tensor<4xf32>) -> tensor<f32> {
  %v = tt.variance %x dims = [0] : (tensor<4xf32>) -> tensor<f32>
  return %v : tensor<f32>
}
