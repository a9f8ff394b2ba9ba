// The kind: scale 0.25, zero point 3, integers 0 to 15. Ties go to the even integer
// before the zero point is added.
// input: -0.875 -0.8125 -0.75 -0.625 0.125 0.375 2.875 3 3.1 3.125 3.5
// result 0: -0.75 -0.75 -0.75 -0.5 0 0.5 3 3 3 3 3
// gradient 0: 0 1 1 1 1 1 1 1 1 1 0
func.func @f(%x: tensor<11xf32>) -> tensor<11xf32> {
  %y = tt.fake_quant %x scale = 0.25 zero_point = 3 low = 0 high = 15 : tensor<11xf32>
  return %y : tensor<11xf32>
}
