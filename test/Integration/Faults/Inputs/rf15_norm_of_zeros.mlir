// A Euclidean norm written so that its subgradient at 0 is 0: value 0, gradient [0, 0].
// A bare sqrt keeps its true slope there (rf15_bare_sqrt.mlir).
// input: 0 0
// result 0: 0
// gradient 0: 0 0
func.func @f(%x: tensor<2xf32>) -> tensor<f32> {
  %zero = tt.constant dense<0.0> : tensor<f32>
  %one = tt.constant dense<1.0> : tensor<f32>
  %squares = tt.square %x : tensor<2xf32>
  %sum = tt.sum %squares dims = [0] : (tensor<2xf32>) -> tensor<f32>
  %positive = tt.compare gt %sum, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %safe = tt.select %positive, %sum, %one : tensor<i1>, tensor<f32>
  %root = tt.sqrt %safe : tensor<f32>
  %norm = tt.select %positive, %root, %zero : tensor<i1>, tensor<f32>
  return %norm : tensor<f32>
}
