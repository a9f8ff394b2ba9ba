// The kind: two outputs, each with its own seed. 2 x + 3 (2, 5).
// input: 3 4
// cotangent: 1 1
// cotangent: 2 5
// result 0: 9 16
// result 1: 9 12
// gradient 0: 12 23
func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %three = tt.constant dense<3.0> : tensor<2xf32>
  %y = tt.mul %x, %x : tensor<2xf32>
  %z = tt.mul %x, %three : tensor<2xf32>
  return %y, %z : tensor<2xf32>, tensor<2xf32>
}
