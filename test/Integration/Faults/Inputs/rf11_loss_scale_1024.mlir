// The cotangent of the loss is 1024, as a loss scale makes it.
// input: 1 2 3 0 0 0
// input: 2 0
// cotangent: 1024
// result 0: 2.25932738
// gradient 0: 138.28696 375.902932 -514.189892 -1024 512 512
func.func @f(%z: tensor<2x3xf32>, %t: tensor<2xi32>) -> tensor<f32> {
  %three = tt.constant dense<3.0> : tensor<f32>
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<2x3xf32>, tensor<2xi32>) -> (tensor<f32>, tensor<2xf32>)
  %s = tt.mul %three, %l : tensor<f32>
  return %s : tensor<f32>
}
