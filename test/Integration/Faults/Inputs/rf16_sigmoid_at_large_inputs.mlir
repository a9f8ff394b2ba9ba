// The slope is y (1 - y) of y in f32, which is next to 1 at 20 and above: it is off by up to
// 2^-24 = 6e-8.
// absolute-tolerance: 1e-7
// input: -1000 -100 -20 0 20 88 100 1000
// result 0: 0 3.72008e-44 2.06115e-09 0.5 1 1 1 1
// gradient 0: 0 3.72008e-44 2.06115e-09 0.25 2.06115e-09 0 0 0
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = tt.sigmoid %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
