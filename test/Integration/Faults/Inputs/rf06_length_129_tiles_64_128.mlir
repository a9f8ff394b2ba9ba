// One token off a multiple of the tile.
// tolerance: 1e-4
// input: fill(37,11)
// input: fill(53,29)
// input: fill(71,3)
// cotangent: fill(17,5)
// result 0 abs-sum: 244.56135
// gradient 0 abs-sum: 88.82622
// gradient 1 abs-sum: 64.44952
// gradient 2 abs-sum: 185.00742
// result 0 at 8192: -0.000239
// gradient 0 at 8192: 0.003194
// gradient 1 at 8192: 0.000815
// gradient 2 at 8192: 0.001607
func.func @f(%q: tensor<1x1x129x64xf32>, %k: tensor<1x1x129x64xf32>, %v: tensor<1x1x129x64xf32>) -> tensor<1x1x129x64xf32> {
  %o, %lse = tt.attention %q, %k, %v causal scale = 0.125 {block_q = 64 : i64, block_k = 128 : i64} : (tensor<1x1x129x64xf32>, tensor<1x1x129x64xf32>, tensor<1x1x129x64xf32>) -> (tensor<1x1x129x64xf32>, tensor<1x1x129xf32>)
  return %o : tensor<1x1x129x64xf32>
}
