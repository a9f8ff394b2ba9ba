// The kind: repeated before and after its own dimension, and a scalar beside it.
// input: 0.5 -1 2
// input: fill(37,11)
// input: 3
// result 0: 2.53125
// gradient 0: -0.46875 0.609375 1.6875
// gradient 1: 1.5 1.5 1.5 1.5 -3 -3 -3 -3 6 6 6 6 1.5 1.5 1.5 1.5 -3 -3 -3 -3 6 6 6 6
// gradient 2: 0.84375
func.func @f(%w: tensor<3xf32>, %c: tensor<2x3x4xf32>, %s: tensor<f32>) -> tensor<f32> {
  %0 = tt.broadcast %w dims = [1] : tensor<3xf32> -> tensor<2x3x4xf32>
  %1 = tt.broadcast %s dims = [] : tensor<f32> -> tensor<2x3x4xf32>
  %2 = tt.mul %0, %c : tensor<2x3x4xf32>
  %3 = tt.mul %2, %1 : tensor<2x3x4xf32>
  %4 = tt.sum %3 dims = [0, 1, 2] : (tensor<2x3x4xf32>) -> tensor<f32>
  return %4 : tensor<f32>
}
