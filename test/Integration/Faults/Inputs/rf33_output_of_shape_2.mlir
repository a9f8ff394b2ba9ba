// With the seed 1 per element.
// input: 3 4
// gradient 0: 6 8
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = tt.mul %x, %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
