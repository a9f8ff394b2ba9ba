// One token more than a multiple of the tile.
// tolerance: 1e-4
// input: fill(37,11)
// input: fill(53,29)
// input: fill(71,3)
// cotangent: fill(17,5)
// result 0 abs-sum: 462.98347
// gradient 0 abs-sum: 247.96742
// gradient 1 abs-sum: 256.68029
// gradient 2 abs-sum: 426.81848
// result 0 at 65536: -0.003905
// gradient 0 at 65536: -0.002593
// gradient 1 at 65536: -0.000057
// gradient 2 at 65536: 0.000151
func.func @f(%q: tensor<1x1x1025x64xf32>, %k: tensor<1x1x1025x64xf32>, %v: tensor<1x1x1025x64xf32>) -> tensor<1x1x1025x64xf32> {
  %o, %lse = tt.attention %q, %k, %v causal scale = 0.125 : (tensor<1x1x1025x64xf32>, tensor<1x1x1025x64xf32>, tensor<1x1x1025x64xf32>) -> (tensor<1x1x1025x64xf32>, tensor<1x1x1025xf32>)
  return %o : tensor<1x1x1025x64xf32>
}
