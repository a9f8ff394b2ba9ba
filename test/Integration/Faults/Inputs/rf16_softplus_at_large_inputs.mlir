// absolute-tolerance: 1e-37
// input: -1000 -100 -20 0 20 88 100 1000
// result 0: 0 3.72008e-44 2.06115e-09 0.693147 20 88 100 1000
// gradient 0: 0 3.72008e-44 2.06115e-09 0.5 1 1 1 1
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = tt.softplus %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
