// Loss A, sum(out), and loss C, sum(out * ones) with the ones stored, bit for bit.
// input: 1 0  0 1  1 1
// input: 1 2  0 1  -1 1
// input: 1 0  0 2  3 1
// input: 1 0  0 1  1 1
// input: 1 2  0 1  -1 1
// input: 1 0  0 2  3 1
// input: full(1)
// gradient 0: -0.514088 -0.286756 -0.705847 -0.353536 -0.388484 -0.229418
// gradient 1: -0.516174 -0.582954 0.129776 0.071577 0.386398 0.511377
// gradient 2: 1.813146 1.813146 0.710621 0.710621 0.476233 0.476233
// gradient 3 as: gradient 0
// gradient 4 as: gradient 1
// gradient 5 as: gradient 2
// result 1 as: result 0
func.func @f(%q: tensor<1x1x3x2xf32>, %k: tensor<1x1x3x2xf32>, %v: tensor<1x1x3x2xf32>, %q2: tensor<1x1x3x2xf32>, %k2: tensor<1x1x3x2xf32>, %v2: tensor<1x1x3x2xf32>, %ones: tensor<1x1x3x2xf32>) -> (tensor<f32>, tensor<f32>) {
  %o, %lse_o = tt.attention %q, %k, %v scale = 0.70710678118654752440 : (tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> (tensor<1x1x3x2xf32>, tensor<1x1x3xf32>)
  %p, %lse_p = tt.attention %q2, %k2, %v2 scale = 0.70710678118654752440 : (tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>) -> (tensor<1x1x3x2xf32>, tensor<1x1x3xf32>)
  %w = tt.mul %p, %ones : tensor<1x1x3x2xf32>
  %a = tt.sum %o dims = [0, 1, 2, 3] : (tensor<1x1x3x2xf32>) -> tensor<f32>
  %c = tt.sum %w dims = [0, 1, 2, 3] : (tensor<1x1x3x2xf32>) -> tensor<f32>
  return %a, %c : tensor<f32>, tensor<f32>
}
