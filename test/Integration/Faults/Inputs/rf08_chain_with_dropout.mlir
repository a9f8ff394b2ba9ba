// Eight blocks of linear, gelu, dropout and residual, then attention with dropout. The
// right values are those of the interpreter in f64: what is asked for is one set of bits
// for every checkpoint policy and schedule. Tests of the interpreter hold its masks.
// input: fill(37,11)
// input: -0.115234 -0.0585938 -0.00195312 0.0546875 0.111328 -0.0839844 -0.0273438 0.0292969 0.0859375 -0.109375 -0.0527344 0.00390625 0.0605469 0.117188 -0.078125 -0.0214844 0.0351562 0.0917969 -0.103516 -0.046875 0.00976562 0.0664062 0.123047 -0.0722656 -0.015625 0.0410156 0.0976562 -0.0976562 -0.0410156 0.015625 0.0722656 -0.123047 -0.0664062 -0.00976562 0.046875 0.103516
// input: 11 12
// result 0: 0.360410765
// gradient 0 abs-sum: 2.42928151
// gradient 0 at 7: -0.0774029613
// gradient 1 abs-sum: 12.0846401
// gradient 1 at 0: 0.185447005
// gradient 1 at 35: 1.81024341
func.func private @block(%x: tensor<10x6xf32>, %w: tensor<6x6xf32>, %k: tensor<2xi32>) -> tensor<10x6xf32> {
  %y = tt.linear in_out %x, %w : (tensor<10x6xf32>, tensor<6x6xf32>) -> tensor<10x6xf32>
  %g = tt.gelu tanh %y : tensor<10x6xf32>
  %d = tt.dropout %g, %k p = 0.1 site = 0 samples = 1 : (tensor<10x6xf32>, tensor<2xi32>) -> tensor<10x6xf32>
  %s = tt.add %x, %d : tensor<10x6xf32>
  return %s : tensor<10x6xf32>
}
func.func private @attend(%x: tensor<10x6xf32>, %k: tensor<2xi32>) -> tensor<f32> {
  %q = tt.reshape %x : tensor<10x6xf32> -> tensor<1x1x10x6xf32>
  %o, %lse = tt.attention %q, %q, %q key(%k) causal scale = 0.5 {dropout_p = 0.1 : f64, site = 0 : i64} : (tensor<1x1x10x6xf32>, tensor<1x1x10x6xf32>, tensor<1x1x10x6xf32>, tensor<2xi32>) -> (tensor<1x1x10x6xf32>, tensor<1x1x10xf32>)
  %p = tt.square %o : tensor<1x1x10x6xf32>
  %l = tt.mean %p dims = [0, 1, 2, 3] : (tensor<1x1x10x6xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
func.func @f(%x: tensor<10x6xf32>, %w: tensor<6x6xf32>, %key: tensor<2xi32>) -> tensor<f32> {
  %ak0 = tt.rng_fold %key site = 0 : tensor<2xi32>
  %a1 = call @block(%x, %w, %ak0) : (tensor<10x6xf32>, tensor<6x6xf32>, tensor<2xi32>) -> tensor<10x6xf32>
  %ak1 = tt.rng_fold %key site = 1 : tensor<2xi32>
  %a2 = call @block(%a1, %w, %ak1) : (tensor<10x6xf32>, tensor<6x6xf32>, tensor<2xi32>) -> tensor<10x6xf32>
  %ak2 = tt.rng_fold %key site = 2 : tensor<2xi32>
  %a3 = call @block(%a2, %w, %ak2) : (tensor<10x6xf32>, tensor<6x6xf32>, tensor<2xi32>) -> tensor<10x6xf32>
  %ak3 = tt.rng_fold %key site = 3 : tensor<2xi32>
  %a4 = call @block(%a3, %w, %ak3) : (tensor<10x6xf32>, tensor<6x6xf32>, tensor<2xi32>) -> tensor<10x6xf32>
  %ak4 = tt.rng_fold %key site = 4 : tensor<2xi32>
  %a5 = call @block(%a4, %w, %ak4) : (tensor<10x6xf32>, tensor<6x6xf32>, tensor<2xi32>) -> tensor<10x6xf32>
  %ak5 = tt.rng_fold %key site = 5 : tensor<2xi32>
  %a6 = call @block(%a5, %w, %ak5) : (tensor<10x6xf32>, tensor<6x6xf32>, tensor<2xi32>) -> tensor<10x6xf32>
  %ak6 = tt.rng_fold %key site = 6 : tensor<2xi32>
  %a7 = call @block(%a6, %w, %ak6) : (tensor<10x6xf32>, tensor<6x6xf32>, tensor<2xi32>) -> tensor<10x6xf32>
  %ak7 = tt.rng_fold %key site = 7 : tensor<2xi32>
  %a8 = call @block(%a7, %w, %ak7) : (tensor<10x6xf32>, tensor<6x6xf32>, tensor<2xi32>) -> tensor<10x6xf32>
  %ak8 = tt.rng_fold %key site = 8 : tensor<2xi32>
  %al = call @attend(%a8, %ak8) : (tensor<10x6xf32>, tensor<2xi32>) -> tensor<f32>
  return %al : tensor<f32>
}
