// A trained bias for all batches, trained sinks, softcap; lse is in the loss.
func.func @loss(%q: tensor<2x4x9x8xf32> {tt.param = "q", tt.init = "normal:0.7"}, %k: tensor<2x2x13x8xf32> {tt.param = "k", tt.init = "normal:0.7"}, %v: tensor<2x2x13x8xf32> {tt.param = "v", tt.init = "normal:0.7"}, %bias: tensor<1x4x9x13xf32> {tt.param = "bias", tt.init = "normal:0.7"}, %sinks: tensor<4xf32> {tt.param = "sinks", tt.init = "normal:0.7"}) -> (tensor<f32> {tt.output = "loss"}) {
  %o, %l = tt.attention %q, %k, %v bias(%bias) sinks(%sinks) scale = 0.5 {softcap = 2.0 : f64} : (tensor<2x4x9x8xf32>, tensor<2x2x13x8xf32>, tensor<2x2x13x8xf32>, tensor<1x4x9x13xf32>, tensor<4xf32>) -> (tensor<2x4x9x8xf32>, tensor<2x4x9xf32>)
  %s0 = tt.square %o : tensor<2x4x9x8xf32>
  %s1 = tt.sum %s0 dims = [0, 1, 2, 3] : (tensor<2x4x9x8xf32>) -> tensor<f32>
  %s2 = tt.sum %l dims = [0, 1, 2] : (tensor<2x4x9xf32>) -> tensor<f32>
  %s3 = tt.add %s1, %s2 : tensor<f32>
  return %s3 : tensor<f32>
}
