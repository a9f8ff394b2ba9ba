// mse, kl_div and bce_with_logits with weights, added.
func.func @loss(%x: tensor<5x7xf32> {tt.param = "x"}, %y: tensor<5x7xf32> {tt.param = "y"}, %w: tensor<7xf32> {tt.param = "w", check.range = [0.25, 2.0]}, %p: tensor<5x7xf32> {tt.input = "p", check.range = [0.01, 0.9]}) -> (tensor<f32> {tt.output = "loss"}) {
  %m = tt.mse mean %x, %y : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<f32>
  %q = tt.log_softmax %x : tensor<5x7xf32>
  %k = tt.kl_div batchmean %q, %p : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<f32>
  %r = tt.log_softmax %y : tensor<5x7xf32>
  %k2 = tt.kl_div mean %q, %r log_target : (tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<f32>
  %b = tt.bce_with_logits sum %y, %p pos_weight(%w) : (tensor<5x7xf32>, tensor<5x7xf32>, tensor<7xf32>) -> tensor<f32>
  %1 = tt.add %m, %k : tensor<f32>
  %2 = tt.add %b, %k2 : tensor<f32>
  %3 = tt.add %1, %2 : tensor<f32>
  return %3 : tensor<f32>
}
