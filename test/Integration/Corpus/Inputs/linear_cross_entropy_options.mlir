// Class weights, smoothing and z-loss of a chunked head; the weights are data.
func.func @loss(%e: tensor<37x19xf32> {tt.param = "e"}, %c: tensor<37xf32> {tt.input = "c"}, %i: tensor<2x11xi32> {tt.input = "i", tt.index_limit = 37}, %t: tensor<2x11xi32> {tt.input = "t", tt.index_limit = 37}) -> (tensor<f32> {tt.output = "loss"}) {
  %h = tt.embedding %e, %i : (tensor<37x19xf32>, tensor<2x11xi32>) -> tensor<2x11x19xf32>
  %g = tt.gelu tanh %h : tensor<2x11x19xf32>
  %w = tt.square %c : tensor<37xf32>
  %l, %lse = tt.linear_cross_entropy mean out_in %g, %e, %t weights(%w) chunks = 4 {ignore_index = 5 : i64, label_smoothing = 0.1 : f64, z_loss = 1.0e-4 : f64} : (tensor<2x11x19xf32>, tensor<37x19xf32>, tensor<2x11xi32>, tensor<37xf32>) -> (tensor<f32>, tensor<2x11xf32>)
  return %l : tensor<f32>
}
