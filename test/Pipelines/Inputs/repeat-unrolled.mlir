func.func private @layer(%x: tensor<3x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> tensor<3x8xf32> {
  %y = tt.linear in_out %x, %w, %b : (tensor<3x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<3x8xf32>
  %t = tt.gelu tanh %y : tensor<3x8xf32>
  %r = tt.add %x, %t : tensor<3x8xf32>
  return %r : tensor<3x8xf32>
}
func.func @loss(%w: tensor<3x8x8xf32> {tt.param = "w"}, %b: tensor<3x8xf32> {tt.param = "b"}, %x: tensor<3x8xf32> {tt.input = "x"}) -> (tensor<f32> {tt.output = "loss"}) {
  %v0 = tt.slice %w dim = 0 start = 0 size = 1 : (tensor<3x8x8xf32>) -> tensor<1x8x8xf32>
  %w0 = tt.reshape %v0 : tensor<1x8x8xf32> -> tensor<8x8xf32>
  %c0 = tt.slice %b dim = 0 start = 0 size = 1 : (tensor<3x8xf32>) -> tensor<1x8xf32>
  %b0 = tt.reshape %c0 : tensor<1x8xf32> -> tensor<8xf32>
  %y0 = call @layer(%x, %w0, %b0) : (tensor<3x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<3x8xf32>
  %v1 = tt.slice %w dim = 0 start = 1 size = 1 : (tensor<3x8x8xf32>) -> tensor<1x8x8xf32>
  %w1 = tt.reshape %v1 : tensor<1x8x8xf32> -> tensor<8x8xf32>
  %c1 = tt.slice %b dim = 0 start = 1 size = 1 : (tensor<3x8xf32>) -> tensor<1x8xf32>
  %b1 = tt.reshape %c1 : tensor<1x8xf32> -> tensor<8xf32>
  %y1 = call @layer(%y0, %w1, %b1) : (tensor<3x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<3x8xf32>
  %v2 = tt.slice %w dim = 0 start = 2 size = 1 : (tensor<3x8x8xf32>) -> tensor<1x8x8xf32>
  %w2 = tt.reshape %v2 : tensor<1x8x8xf32> -> tensor<8x8xf32>
  %c2 = tt.slice %b dim = 0 start = 2 size = 1 : (tensor<3x8xf32>) -> tensor<1x8xf32>
  %b2 = tt.reshape %c2 : tensor<1x8xf32> -> tensor<8xf32>
  %y2 = call @layer(%y1, %w2, %b2) : (tensor<3x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<3x8xf32>
  %s = tt.square %y2 : tensor<3x8xf32>
  %l = tt.mean %s dims = [0, 1] : (tensor<3x8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
