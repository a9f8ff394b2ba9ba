// Rows that chunks do not divide, a tied weight, uncounted rows, lse in the loss.
func.func @loss(%e: tensor<37x19xf32> {tt.param = "e"}, %i: tensor<2x11xi32> {tt.input = "i", tt.index_limit = 37}, %t: tensor<2x11xi32> {tt.input = "t", tt.index_limit = 37}) -> (tensor<f32> {tt.output = "loss"}) {
  %h = tt.embedding %e, %i : (tensor<37x19xf32>, tensor<2x11xi32>) -> tensor<2x11x19xf32>
  %g = tt.gelu tanh %h : tensor<2x11x19xf32>
  %l, %lse = tt.linear_cross_entropy mean out_in %g, %e, %t chunks = 4 {ignore_index = 5 : i64} : (tensor<2x11x19xf32>, tensor<37x19xf32>, tensor<2x11xi32>) -> (tensor<f32>, tensor<2x11xf32>)
  %q = tt.square %lse : tensor<2x11xf32>
  %z = tt.mean %q dims = [0, 1] : (tensor<2x11xf32>) -> tensor<f32>
  %s = tt.add %l, %z : tensor<f32>
  return %s : tensor<f32>
}
