// The kind: a scale per channel, as the text of the op says: divide, quantise with scale
// 1, multiply. The scales are data.
// input: -1.125 -1.0625 0.9375 0.93 -4.5 -4.25 3.75 3.5
// input: 0.125 0.5
// result 0: -1 -1 0.875 0.875 -4 -4 3.5 3.5
// gradient 0: 0 1 0 1 0 1 0 1
func.func @f(%x: tensor<2x4xf32>, %s: tensor<2xf32>) -> tensor<2x4xf32> {
  %held = tt.stop_gradient %s : tensor<2xf32>
  %w = tt.broadcast %held dims = [0] : tensor<2xf32> -> tensor<2x4xf32>
  %n = tt.div %x, %w : tensor<2x4xf32>
  %q = tt.fake_quant %n scale = 1.0 zero_point = 0 low = -8 high = 7 : tensor<2x4xf32>
  %y = tt.mul %q, %w : tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}
