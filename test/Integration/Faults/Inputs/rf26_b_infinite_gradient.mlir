// B: the norm says so, and the step is to be skipped.
// input: inf 1
// result 0: inf
// result 1: nan 0
// result 2: 1
func.func @f(%g: tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>, tensor<i32>) {
  %s = tt.sum_squares %g : tensor<2xf32> -> tensor<f64>
  %n, %c, %k = tt.global_norm %s max_norm = 1.0 : (tensor<f64>) -> (tensor<f32>, tensor<f32>, tensor<i32>)
  %w = tt.broadcast %c dims = [] : tensor<f32> -> tensor<2xf32>
  %y = tt.mul %g, %w : tensor<2xf32>
  return %n, %y, %k : tensor<f32>, tensor<2xf32>, tensor<i32>
}
