// Noise from a key, inside a layer that is called twice; odd sample sizes.
func.func private @layer(%x: tensor<3x7x5xf32>, %w: tensor<5x5xf32>, %k: tensor<2xi32>) -> tensor<3x7x5xf32> {
  %y = tt.linear in_out %x, %w : (tensor<3x7x5xf32>, tensor<5x5xf32>) -> tensor<3x7x5xf32>
  %u = tt.random_uniform %k site = 0 samples = 3 : tensor<2xi32> -> tensor<3x7x5xf32>
  %z = tt.random_normal %k site = 1 samples = 21 : tensor<2xi32> -> tensor<3x7x5xf32>
  %a = tt.mul %y, %u : tensor<3x7x5xf32>
  %b = tt.add %a, %z : tensor<3x7x5xf32>
  %c = tt.tanh %b : tensor<3x7x5xf32>
  return %c : tensor<3x7x5xf32>
}
func.func @loss(%w: tensor<5x5xf32> {tt.param = "w"}, %v: tensor<5x5xf32> {tt.param = "v"}, %x: tensor<3x7x5xf32> {tt.input = "x"}, %key: tensor<2xi32> {tt.input = "key"}) -> (tensor<f32> {tt.output = "loss"}) {
  %k0 = tt.rng_fold %key site = 0 : tensor<2xi32>
  %k1 = tt.rng_fold %key site = 1 : tensor<2xi32>
  %0 = call @layer(%x, %w, %k0) : (tensor<3x7x5xf32>, tensor<5x5xf32>, tensor<2xi32>) -> tensor<3x7x5xf32>
  %1 = call @layer(%0, %v, %k1) : (tensor<3x7x5xf32>, tensor<5x5xf32>, tensor<2xi32>) -> tensor<3x7x5xf32>
  %z = tt.random_normal %key site = 2 samples = 1 : tensor<2xi32> -> tensor<3x7x5xf32>
  %2 = tt.mul %1, %z : tensor<3x7x5xf32>
  %l = tt.mean %2 dims = [0, 1, 2] : (tensor<3x7x5xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
