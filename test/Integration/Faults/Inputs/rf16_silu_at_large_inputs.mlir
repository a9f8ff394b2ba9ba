// absolute-tolerance: 1e-37
// input: -1000 -100 -20 0 20 88 100 1000
// result 0: 0 -3.72008e-42 -4.12231e-08 0 20 88 100 1000
// gradient 0: 0 -3.68288e-42 -3.91619e-08 0.5 1 1 1 1
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = tt.silu %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
