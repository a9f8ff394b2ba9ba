// Dropout of probabilities in two calls of one layer: masks of their own.
func.func @loss(%q: tensor<2x4x9x8xf32> {tt.param = "q", tt.init = "normal:0.7"}, %k: tensor<2x2x13x8xf32> {tt.param = "k", tt.init = "normal:0.7"}, %v: tensor<2x2x13x8xf32> {tt.param = "v", tt.init = "normal:0.7"}, %key: tensor<2xi32> {tt.input = "key"}) -> (tensor<f32> {tt.output = "loss"}) {
  %k1 = tt.rng_fold %key site = 1 : tensor<2xi32>
  %o, %l = tt.attention %q, %k, %v key(%key) causal scale = 0.5 {dropout_p = 0.2 : f64, site = 0 : i64} : (tensor<2x4x9x8xf32>, tensor<2x2x13x8xf32>, tensor<2x2x13x8xf32>, tensor<2xi32>) -> (tensor<2x4x9x8xf32>, tensor<2x4x9xf32>)
  %o2, %l2 = tt.attention %o, %k, %v key(%k1) causal scale = 0.5 {dropout_p = 0.2 : f64, site = 0 : i64} : (tensor<2x4x9x8xf32>, tensor<2x2x13x8xf32>, tensor<2x2x13x8xf32>, tensor<2xi32>) -> (tensor<2x4x9x8xf32>, tensor<2x4x9xf32>)
  %s0 = tt.square %o2 : tensor<2x4x9x8xf32>
  %s1 = tt.sum %s0 dims = [0, 1, 2, 3] : (tensor<2x4x9x8xf32>) -> tensor<f32>
  return %s1 : tensor<f32>
}
