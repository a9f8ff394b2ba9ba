// input: 1 2 3 4 5 6
// input: 0.5 -0.25 1
// input: 0.1 0.2 0.3
// input: 1 2
// result 0: 88.0675
// gradient 0: 6.6 -3.3 13.2 14.85 -7.425 29.7
// gradient 1: 132 174.9 217.8
// gradient 2: 13.9 14.3 14.7
func.func @f(%x: tensor<2x3xf32>, %w: tensor<3x1xf32>, %b: tensor<3xf32>, %t: tensor<2x1xf32>) -> tensor<f32> {
  %y = tt.linear in_out %x, %w : (tensor<2x3xf32>, tensor<3x1xf32>) -> tensor<2x1xf32>
  %y1 = tt.reshape %y : tensor<2x1xf32> -> tensor<2xf32>
  %yw = tt.broadcast %y1 dims = [0] : tensor<2xf32> -> tensor<2x3xf32>
  %bw = tt.broadcast %b dims = [1] : tensor<3xf32> -> tensor<2x3xf32>
  %t1 = tt.reshape %t : tensor<2x1xf32> -> tensor<2xf32>
  %tw = tt.broadcast %t1 dims = [0] : tensor<2xf32> -> tensor<2x3xf32>
  %s = tt.add %yw, %bw : tensor<2x3xf32>
  %e = tt.sub %s, %tw : tensor<2x3xf32>
  %q = tt.square %e : tensor<2x3xf32>
  %l = tt.sum %q dims = [0, 1] : (tensor<2x3xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
