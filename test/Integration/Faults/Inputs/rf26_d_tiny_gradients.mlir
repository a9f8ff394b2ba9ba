// D: the squares, 1e-60, do not fit f32. Unchanged.
// absolute-tolerance: 0
// input: full(1e-30)
// result 0: 2e-30
// result 1: full(1e-30)
// result 2: 0
func.func @f(%g: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>, tensor<i32>) {
  %s = tt.sum_squares %g : tensor<4xf32> -> tensor<f64>
  %n, %c, %k = tt.global_norm %s max_norm = 1.0 : (tensor<f64>) -> (tensor<f32>, tensor<f32>, tensor<i32>)
  %w = tt.broadcast %c dims = [] : tensor<f32> -> tensor<4xf32>
  %y = tt.mul %g, %w : tensor<4xf32>
  return %n, %y, %k : tensor<f32>, tensor<4xf32>, tensor<i32>
}
