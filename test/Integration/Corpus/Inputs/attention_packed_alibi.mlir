// Packed documents, a sliding window and ALiBi slopes as constants; some rows see no key.
func.func @loss(%q: tensor<2x4x9x8xf32> {tt.param = "q", tt.init = "normal:0.7"}, %k: tensor<2x2x13x8xf32> {tt.param = "k", tt.init = "normal:0.7"}, %v: tensor<2x2x13x8xf32> {tt.param = "v", tt.init = "normal:0.7"}, %qs: tensor<2x9xi32> {tt.input = "qs", tt.index_limit = 3}, %ks: tensor<2x13xi32> {tt.input = "ks", tt.index_limit = 3}) -> (tensor<f32> {tt.output = "loss"}) {
  %slopes = tt.constant dense<[0.5, 0.25, 0.125, 0.0625]> : tensor<4xf32>
  %o, %l = tt.attention %q, %k, %v segments(%qs, %ks) slopes(%slopes) causal scale = 0.5 {window_left = 6 : i64} : (tensor<2x4x9x8xf32>, tensor<2x2x13x8xf32>, tensor<2x2x13x8xf32>, tensor<2x9xi32>, tensor<2x13xi32>, tensor<4xf32>) -> (tensor<2x4x9x8xf32>, tensor<2x4x9xf32>)
  %s0 = tt.square %o : tensor<2x4x9x8xf32>
  %s1 = tt.sum %s0 dims = [0, 1, 2, 3] : (tensor<2x4x9x8xf32>) -> tensor<f32>
  return %s1 : tensor<f32>
}
