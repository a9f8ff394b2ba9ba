// Two parameters that hold the same number stay two.
// input: 3
// input: 3
// gradient 0: 1
// gradient 1: 1
func.func @f(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %y = tt.add %a, %b : tensor<f32>
  return %y : tensor<f32>
}
