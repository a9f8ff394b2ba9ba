// A window of 100 keys, the query among them, one token off a multiple of the tile.
// tolerance: 1e-4
// input: fill(37,11)
// input: fill(53,29)
// input: fill(71,3)
// cotangent: fill(17,5)
// result 0 abs-sum: 792.19512
// gradient 0 abs-sum: 323.91898
// gradient 1 abs-sum: 355.38965
// gradient 2 abs-sum: 677.96456
// result 0 at 65536: -0.002150
// gradient 0 at 65536: -0.006788
// gradient 1 at 65536: -0.000567
// gradient 2 at 65536: 0.001555
func.func @f(%q: tensor<1x1x1025x64xf32>, %k: tensor<1x1x1025x64xf32>, %v: tensor<1x1x1025x64xf32>) -> tensor<1x1x1025x64xf32> {
  %o, %lse = tt.attention %q, %k, %v causal scale = 0.125 {block_k = 64 : i64, block_q = 32 : i64, window_left = 99 : i64} : (tensor<1x1x1025x64xf32>, tensor<1x1x1025x64xf32>, tensor<1x1x1025x64xf32>) -> (tensor<1x1x1025x64xf32>, tensor<1x1x1025xf32>)
  return %o : tensor<1x1x1025x64xf32>
}
