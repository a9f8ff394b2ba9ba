// Five sequences with 0, 2, 0, 1, 0 queries and 3, 2, 0, 2, 1 keys. Each is aligned
// bottom-right by itself, which one causal mask cannot say of sequences whose lengths
// differ, so the one hidden key of sequence 1 is hidden by a bias.
// input: fill(37,11)
// input: fill(53,29)
// input: fill(71,3)
// input: 1 1 3
// input: 0 0 0 1 1 3 3 4
// input: 0 0 0 0 -inf 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// cotangent: fill(17,5)
// result 0: -0.34375 0.765625 -0.196138 0.913237 0.170305 -0.735945
// gradient 0: 0 0 0.005286 -0.024361 -0.00703 -0.00703
// gradient 1: 0 0 0 0 0 0 0.004826 0.01333 -0.004826 -0.01333 0.010393 -0.000917 -0.010393 0.000917 0 0
// gradient 2: 0 0 0 0 0 0 -1.028631 -0.690412 -0.283869 -0.090838 0.065991 0.19064 0.074634 0.21561 0 0
func.func @f(%q: tensor<1x1x3x2xf32>, %k: tensor<1x1x8x2xf32>, %v: tensor<1x1x8x2xf32>, %qs: tensor<1x3xi32>, %ks: tensor<1x8xi32>, %bias: tensor<1x1x3x8xf32>) -> tensor<1x1x3x2xf32> {
  %o, %lse = tt.attention %q, %k, %v segments(%qs, %ks) bias(%bias) scale = 0.70710678118654752440 : (tensor<1x1x3x2xf32>, tensor<1x1x8x2xf32>, tensor<1x1x8x2xf32>, tensor<1x3xi32>, tensor<1x8xi32>, tensor<1x1x3x8xf32>) -> (tensor<1x1x3x2xf32>, tensor<1x1x3xf32>)
  return %o : tensor<1x1x3x2xf32>
}
