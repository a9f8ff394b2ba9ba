func.func private @layer(%x: tensor<8x16xf32>, %w: tensor<16x16xf32>, %b: tensor<16xf32>) -> tensor<8x16xf32> {
  %y = tt.linear in_out %x, %w, %b : (tensor<8x16xf32>, tensor<16x16xf32>, tensor<16xf32>) -> tensor<8x16xf32>
  %z = tt.gelu tanh %y : tensor<8x16xf32>
  return %z : tensor<8x16xf32>
}
func.func @loss(%w: tensor<16x16xf32> {tt.param = "w", tt.init = "normal:0.2"}, %b: tensor<16xf32> {tt.param = "b"},
                %h: tensor<16x5xf32> {tt.param = "head", tt.init = "normal:0.2"},
                %x: tensor<8x16xf32> {tt.input = "x"},
                %t: tensor<8xi32> {tt.input = "targets", tt.index_limit = 5}) -> (tensor<f32> {tt.output = "loss"}) {
  %1 = call @layer(%x, %w, %b) : (tensor<8x16xf32>, tensor<16x16xf32>, tensor<16xf32>) -> tensor<8x16xf32>
  %2 = tt.linear in_out %1, %h : (tensor<8x16xf32>, tensor<16x5xf32>) -> tensor<8x5xf32>
  %loss, %lse = tt.cross_entropy mean %2, %t : (tensor<8x5xf32>, tensor<8xi32>) -> (tensor<f32>, tensor<8xf32>)
  return %loss : tensor<f32>
}
