// A: the squares, 1e40, do not fit f32.
// input: full(1e20)
// result 0: 1e21
// result 1: full(0.1)
// result 2: 0
func.func @f(%g: tensor<100xf32>) -> (tensor<f32>, tensor<100xf32>, tensor<i32>) {
  %s = tt.sum_squares %g : tensor<100xf32> -> tensor<f64>
  %n, %c, %k = tt.global_norm %s max_norm = 1.0 : (tensor<f64>) -> (tensor<f32>, tensor<f32>, tensor<i32>)
  %w = tt.broadcast %c dims = [] : tensor<f32> -> tensor<100xf32>
  %y = tt.mul %g, %w : tensor<100xf32>
  return %n, %y, %k : tensor<f32>, tensor<100xf32>, tensor<i32>
}
