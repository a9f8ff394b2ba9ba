// input: fill(37,11)
// input: fill(53,29)
// input: fill(71,3)
// cotangent: fill(17,5)
// gradient 1: 0.018787 0.025703 0.005936 -0.03458 -0.024723 0.008877 -0.002056 -0.025672 0.026735 -0.170345 -0.024679 0.196017
// gradient 2: -0.893163 0.077381 -0.558763 -0.157028 -0.141824 0.079646 0.836547 0.297329 0.480475 -0.857466 0.089228 -0.471114
func.func @f(%q: tensor<1x4x3x2xf32>, %k: tensor<1x2x3x2xf32>, %v: tensor<1x2x3x2xf32>) -> tensor<1x4x3x2xf32> {
  %o, %lse = tt.attention %q, %k, %v causal scale = 0.70710678118654752440 : (tensor<1x4x3x2xf32>, tensor<1x2x3x2xf32>, tensor<1x2x3x2xf32>) -> (tensor<1x4x3x2xf32>, tensor<1x4x3xf32>)
  return %o : tensor<1x4x3x2xf32>
}
