// The cotangent of the attention is one number repeated.
// input: 1 0  0 1  1 1
// input: 1 2  0 1  -1 1
// input: 1 0  0 2  3 1
// gradient 0: -0.51408800 -0.28675600 -0.70584700 -0.35353600 -0.38848400 -0.22941800
// gradient 1: -0.51617400 -0.58295400 0.12977600 0.07157700 0.38639800 0.51137700
// gradient 2: 1.81314600 1.81314600 0.71062100 0.71062100 0.47623300 0.47623300
func.func @f(%q: tensor<1x1x3x2xf32>, %k: tensor<1x1x3x2xf32>, %v: tensor<1x1x3x2xf32>) -> tensor<f32> {
  %o, %lse = tt.attention %q, %k, %v scale = 0.70710678118654752440 : (tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> (tensor<1x1x3x2xf32>, tensor<1x1x3xf32>)
  %l = tt.sum %o dims = [0, 1, 2, 3] : (tensor<1x1x3x2xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
