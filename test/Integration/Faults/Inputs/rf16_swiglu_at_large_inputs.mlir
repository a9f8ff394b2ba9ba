// absolute-tolerance: 1e-37
// input: -1000 -100 -20 0 20 88 100 1000
// input: full(2)
// gradient 0: 0 -7.36576e-42 -7.83238e-08 1 2 2 2 2
// gradient 1: 0 -3.72008e-42 -4.12231e-08 0 20 88 100 1000
func.func @f(%x: tensor<8xf32>, %u: tensor<8xf32>) -> tensor<8xf32> {
  %y = tt.swiglu %x, %u : tensor<8xf32>
  return %y : tensor<8xf32>
}
