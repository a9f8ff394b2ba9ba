// One token off a multiple of the tile.
// tolerance: 1e-4
// input: fill(37,11)
// input: fill(53,29)
// input: fill(71,3)
// cotangent: fill(17,5)
// result 0 abs-sum: 244.10577
// gradient 0 abs-sum: 88.54562
// gradient 1 abs-sum: 64.18490
// gradient 2 abs-sum: 184.97994
// result 0 at 8064: -0.003494
// gradient 0 at 8064: 0.005138
// gradient 1 at 8064: -0.002383
// gradient 2 at 8064: 0.003613
func.func @f(%q: tensor<1x1x127x64xf32>, %k: tensor<1x1x127x64xf32>, %v: tensor<1x1x127x64xf32>) -> tensor<1x1x127x64xf32> {
  %o, %lse = tt.attention %q, %k, %v causal scale = 0.125 {block_q = 64 : i64, block_k = 128 : i64} : (tensor<1x1x127x64xf32>, tensor<1x1x127x64xf32>, tensor<1x1x127x64xf32>) -> (tensor<1x1x127x64xf32>, tensor<1x1x127xf32>)
  return %o : tensor<1x1x127x64xf32>
}
