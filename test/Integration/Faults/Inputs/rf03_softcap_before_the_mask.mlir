// The cap comes before the mask; its slope is that of the score without a mask.
// input: 1
// input: 3 -1 5
// input: 1 2 4
// input: 0
// input: 0 0 1
// result 0: 1.060966
// gradient 0: -0.07606
// gradient 1: -0.010345 0.045024 0
// gradient 2: 0.939034 0.060966 0
func.func @f(%q: tensor<1x1x1x1xf32>, %k: tensor<1x1x3x1xf32>, %v: tensor<1x1x3x1xf32>, %qs: tensor<1x1xi32>, %ks: tensor<1x3xi32>) -> tensor<1x1x1x1xf32> {
  %o, %lse = tt.attention %q, %k, %v segments(%qs, %ks) scale = 1.0 {softcap = 2.0 : f64} : (tensor<1x1x1x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1x3x1xf32>, tensor<1x1xi32>, tensor<1x3xi32>) -> (tensor<1x1x1x1xf32>, tensor<1x1x1xf32>)
  return %o : tensor<1x1x1x1xf32>
}
