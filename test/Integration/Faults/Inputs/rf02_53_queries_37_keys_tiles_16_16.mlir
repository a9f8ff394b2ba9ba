// The kind: every gradient, with lengths that no tile divides.
// input: fill(37,11)
// input: fill(53,29)
// input: fill(71,3)
// cotangent: fill(17,5)
// result 0 abs-sum: 19.2246721
// gradient 0 abs-sum: 4.29653384
// gradient 1 abs-sum: 3.57933789
// gradient 2 abs-sum: 11.3602336
// result 0 at 208: -0.126182347
// gradient 0 at 208: -8.00466861e-05
// gradient 1 at 144: 0.00313474929
// gradient 2 at 144: -0.0019378238
func.func @f(%q: tensor<1x1x53x4xf32>, %k: tensor<1x1x37x4xf32>, %v: tensor<1x1x37x4xf32>) -> tensor<1x1x53x4xf32> {
  %o, %lse = tt.attention %q, %k, %v causal scale = 0.5 {block_k = 16 : i64, block_q = 16 : i64} : (tensor<1x1x53x4xf32>, tensor<1x1x37x4xf32>, tensor<1x1x37x4xf32>) -> (tensor<1x1x53x4xf32>, tensor<1x1x53xf32>)
  return %o : tensor<1x1x53x4xf32>
}
