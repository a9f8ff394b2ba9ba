// With the seed 1 per element.
// input: 3
// gradient 0: 6
func.func @f(%x: tensor<1xf32>) -> tensor<1xf32> {
  %y = tt.mul %x, %x : tensor<1xf32>
  return %y : tensor<1xf32>
}
