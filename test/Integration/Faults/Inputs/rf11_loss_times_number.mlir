// input: 1 2 3 0 0 0
// input: 2 0
// result 0: 2.259327
// gradient 0: 0.135046 0.367093 -0.502139 -1 0.5 0.5
func.func @f(%z: tensor<2x3xf32>, %t: tensor<2xi32>) -> tensor<f32> {
  %three = tt.constant dense<3.0> : tensor<f32>
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<2x3xf32>, tensor<2xi32>) -> (tensor<f32>, tensor<2xf32>)
  %s = tt.mul %three, %l : tensor<f32>
  return %s : tensor<f32>
}
