// The kind: every gradient, with lengths that no tile divides.
// input: fill(37,11)
// input: fill(53,29)
// input: fill(71,3)
// cotangent: fill(17,5)
// result 0 abs-sum: 10.3456939
// gradient 0 abs-sum: 1.85242302
// gradient 1 abs-sum: 2.88061358
// gradient 2 abs-sum: 6.66210442
// result 0 at 144: -0.0757934737
// gradient 0 at 144: -0.0035119209
// gradient 1 at 208: -0.000751462696
// gradient 2 at 208: -0.0115048994
func.func @f(%q: tensor<1x1x37x4xf32>, %k: tensor<1x1x53x4xf32>, %v: tensor<1x1x53x4xf32>) -> tensor<1x1x37x4xf32> {
  %o, %lse = tt.attention %q, %k, %v causal scale = 0.5 : (tensor<1x1x37x4xf32>, tensor<1x1x53x4xf32>, tensor<1x1x53x4xf32>) -> (tensor<1x1x37x4xf32>, tensor<1x1x37xf32>)
  return %o : tensor<1x1x37x4xf32>
}
