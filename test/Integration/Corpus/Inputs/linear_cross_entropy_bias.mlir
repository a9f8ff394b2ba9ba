// A chunked head with a bias that is trained; rows that do not divide into the chunks.
func.func @loss(%e: tensor<37x19xf32> {tt.param = "e"}, %w: tensor<19x37xf32> {tt.param = "w"}, %b: tensor<37xf32> {tt.param = "b"}, %i: tensor<2x11xi32> {tt.input = "i", tt.index_limit = 37}, %t: tensor<2x11xi32> {tt.input = "t", tt.index_limit = 37}) -> (tensor<f32> {tt.output = "loss"}) {
  %h = tt.embedding %e, %i : (tensor<37x19xf32>, tensor<2x11xi32>) -> tensor<2x11x19xf32>
  %g = tt.gelu tanh %h : tensor<2x11x19xf32>
  %l, %lse = tt.linear_cross_entropy mean in_out %g, %w, %t bias(%b) chunks = 4 {ignore_index = 5 : i64} : (tensor<2x11x19xf32>, tensor<19x37xf32>, tensor<2x11xi32>, tensor<37xf32>) -> (tensor<f32>, tensor<2x11xf32>)
  return %l : tensor<f32>
}
