// The kind: the norm is one over all gradients, past the squares of f32.
// input: 3e20 0
// input: 0 4e20 0
// result 0: 5e20
// result 1: 0.6 0
// result 2: 0 0.8 0
// result 3: 0
func.func @f(%a: tensor<2xf32>, %b: tensor<3xf32>) -> (tensor<f32>, tensor<2xf32>, tensor<3xf32>, tensor<i32>) {
  %s = tt.sum_squares %a : tensor<2xf32> -> tensor<f64>
  %t = tt.sum_squares %b : tensor<3xf32> -> tensor<f64>
  %n, %c, %k = tt.global_norm %s, %t max_norm = 1.0 : (tensor<f64>, tensor<f64>) -> (tensor<f32>, tensor<f32>, tensor<i32>)
  %ca = tt.broadcast %c dims = [] : tensor<f32> -> tensor<2xf32>
  %cb = tt.broadcast %c dims = [] : tensor<f32> -> tensor<3xf32>
  %x = tt.mul %a, %ca : tensor<2xf32>
  %y = tt.mul %b, %cb : tensor<3xf32>
  return %n, %x, %y, %k : tensor<f32>, tensor<2xf32>, tensor<3xf32>, tensor<i32>
}
