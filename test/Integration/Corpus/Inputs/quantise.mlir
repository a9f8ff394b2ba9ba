// Straight-through grids with scales that divide exactly, and stored integers.
func.func @loss(%a: tensor<4x23xf32> {tt.param = "a"}, %q: tensor<4x23xi8> {tt.input = "q"}) -> (tensor<f32> {tt.output = "loss"}) {
  %0 = tt.fake_quant %a scale = 0.125 zero_point = 2 low = -4 high = 7 : tensor<4x23xf32>
  %w = tt.dequantise %q scale = 0.02 zero_point = 3 : tensor<4x23xi8> -> tensor<4x23xf32>
  %1 = tt.mul %0, %w : tensor<4x23xf32>
  %four = tt.constant dense<4.0> : tensor<4x23xf32>
  %2 = tt.mul %a, %four : tensor<4x23xf32>
  %3 = tt.round_ste %2 : tensor<4x23xf32>
  %4 = tt.mul %1, %3 : tensor<4x23xf32>
  %5 = tt.grad_transform scale 0.5 %4 : tensor<4x23xf32>
  %6 = tt.grad_transform clip 0.004 %5 : tensor<4x23xf32>
  %7 = tt.square %6 : tensor<4x23xf32>
  %l = tt.mean %7 dims = [0, 1] : (tensor<4x23xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
