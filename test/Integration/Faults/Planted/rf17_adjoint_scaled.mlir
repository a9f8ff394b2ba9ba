// The gradient is off by 1e-4 of itself.
// input: -1.125 -1.0625 -1 -0.0625 0.0625 0.1875 0.8125 0.875 0.93 0.9375 1
// result 0: -1 -1 -1 0 0 0.25 0.75 0.875 0.875 0.875 0.875
// gradient 0: 0 1 1 1 1 1 1 1 1 0 0
func.func @f(%x: tensor<11xf32>) -> tensor<11xf32> {
  %scaled = tt.grad_transform scale 1.0001 %x : tensor<11xf32>
  %y = tt.fake_quant %scaled scale = 0.125 zero_point = 0 low = -8 high = 7 : tensor<11xf32>
  return %y : tensor<11xf32>
}
