func.func @loss(%w: tensor<6x16xf32> {tt.param = "w", tt.init = "normal:0.3"}, %h: tensor<8x5xf32> {tt.param = "h", tt.init = "normal:0.3"}, %x: tensor<4x1x6xf32> {tt.input = "x"}, %t: tensor<4x1xi32> {tt.input = "t", tt.index_limit = 5}) -> (tensor<f32> {tt.output = "loss"}) {
  %gu = tt.linear in_out %x, %w : (tensor<4x1x6xf32>, tensor<6x16xf32>) -> tensor<4x1x16xf32>
  %g = tt.slice %gu dim = 2 start = 0 size = 8 : (tensor<4x1x16xf32>) -> tensor<4x1x8xf32>
  %u = tt.slice %gu dim = 2 start = 8 size = 8 : (tensor<4x1x16xf32>) -> tensor<4x1x8xf32>
  %a = tt.swiglu %g, %u : tensor<4x1x8xf32>
  %l = tt.linear in_out %a, %h : (tensor<4x1x8xf32>, tensor<8x5xf32>) -> tensor<4x1x5xf32>
  %loss, %lse = tt.cross_entropy mean %l, %t : (tensor<4x1x5xf32>, tensor<4x1xi32>) -> (tensor<f32>, tensor<4x1xf32>)
  return %loss : tensor<f32>
}
