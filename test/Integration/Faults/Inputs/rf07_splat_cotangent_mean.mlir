// The cotangent of the attention is one number repeated.
// input: 1 0  0 1  1 1
// input: 1 2  0 1  -1 1
// input: 1 0  0 2  3 1
// gradient 0: -0.08568133 -0.04779267 -0.11764117 -0.05892267 -0.06474733 -0.03823633
// gradient 1: -0.08602900 -0.09715900 0.02162933 0.01192950 0.06439967 0.08522950
// gradient 2: 0.30219100 0.30219100 0.11843683 0.11843683 0.07937217 0.07937217
func.func @f(%q: tensor<1x1x3x2xf32>, %k: tensor<1x1x3x2xf32>, %v: tensor<1x1x3x2xf32>) -> tensor<f32> {
  %o, %lse = tt.attention %q, %k, %v scale = 0.70710678118654752440 : (tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> (tensor<1x1x3x2xf32>, tensor<1x1x3xf32>)
  %l = tt.mean %o dims = [0, 1, 2, 3] : (tensor<1x1x3x2xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
