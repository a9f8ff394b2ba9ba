// input: fill(37,11)
// input: fill(53,29)
// gradient 1: -0.515625 -0.515625 0.9375 0.9375 0.375 0.375 -0.1875 -0.1875
func.func @f(%a: tensor<2x3x4xf32>, %m: tensor<4x2xf32>) -> tensor<f32> {
  %y = tt.linear in_out %a, %m : (tensor<2x3x4xf32>, tensor<4x2xf32>) -> tensor<2x3x2xf32>
  %l = tt.sum %y dims = [0, 1, 2] : (tensor<2x3x2xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
