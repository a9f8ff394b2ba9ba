// The standard deviation of equal numbers, divided by n: value 0, gradient 0.
// input: 1 1 1 1
// result 0: 0
// gradient 0: 0 0 0 0
func.func @f(%x: tensor<4xf32>) -> tensor<f32> {
  %zero = tt.constant dense<0.0> : tensor<f32>
  %one = tt.constant dense<1.0> : tensor<f32>
  %variance = tt.variance %x dims = [0] : (tensor<4xf32>) -> tensor<f32>
  %positive = tt.compare gt %variance, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %safe = tt.select %positive, %variance, %one : tensor<i1>, tensor<f32>
  %root = tt.sqrt %safe : tensor<f32>
  %deviation = tt.select %positive, %root, %zero : tensor<i1>, tensor<f32>
  return %deviation : tensor<f32>
}
