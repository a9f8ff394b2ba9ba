// input: 0 4
// cotangent: 1 1
// result 0: 0 2
// gradient 0: inf 0.25
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = tt.sqrt %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
