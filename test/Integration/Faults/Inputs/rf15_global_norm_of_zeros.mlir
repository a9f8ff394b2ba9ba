// D: norm 0, gradients stay 0. Also RF-26 C.
// input: full(0)
// result 0: 0
// result 1: full(0)
// result 2: 0
func.func @f(%g: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>, tensor<i32>) {
  %s = tt.sum_squares %g : tensor<4xf32> -> tensor<f64>
  %n, %c, %k = tt.global_norm %s max_norm = 1.0 : (tensor<f64>) -> (tensor<f32>, tensor<f32>, tensor<i32>)
  %w = tt.broadcast %c dims = [] : tensor<f32> -> tensor<4xf32>
  %y = tt.mul %g, %w : tensor<4xf32>
  return %n, %y, %k : tensor<f32>, tensor<4xf32>, tensor<i32>
}
