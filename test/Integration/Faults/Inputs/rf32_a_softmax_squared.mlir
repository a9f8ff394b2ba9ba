// input: 1 2 3
// gradient 0: -0.075718 -0.130105 0.205823
func.func @f(%x: tensor<3xf32>) -> tensor<f32> {
  %p = tt.softmax %x : tensor<3xf32>
  %q = tt.square %p : tensor<3xf32>
  %l = tt.sum %q dims = [0] : (tensor<3xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
