// The kind: two layers over data, each with a weight from outside.
// input: 1 2
// input: 3
// input: 1
// result 0: 45
// gradient 0: none
// gradient 1: 30
// gradient 2: 90
func.func private @layer(%x: tensor<2xf32>, %w: tensor<f32>) -> tensor<2xf32> {
  %wide = tt.broadcast %w dims = [] : tensor<f32> -> tensor<2xf32>
  %y = tt.mul %wide, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
func.func @f(%x: tensor<2xf32>, %w: tensor<f32>, %v: tensor<f32>) -> tensor<f32> {
  %held = tt.stop_gradient %x : tensor<2xf32>
  %y = call @layer(%held, %w) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %z = call @layer(%y, %v) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %q = tt.square %z : tensor<2xf32>
  %l = tt.sum %q dims = [0] : (tensor<2xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
