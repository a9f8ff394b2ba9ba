// The kind: the same through a head whose logits are never all there.
// input: fill(37,11)
// input: fill(53,29)
// input: full(-100)
// result 0: 0
// gradient 0: full(0)
// gradient 1: full(0)
func.func @f(%h: tensor<3x4xf32>, %w: tensor<5x4xf32>, %t: tensor<3xi32>) -> tensor<f32> {
  %l, %lse = tt.linear_cross_entropy mean out_in %h, %w, %t chunks = 2 : (tensor<3x4xf32>, tensor<5x4xf32>, tensor<3xi32>) -> (tensor<f32>, tensor<3xf32>)
  return %l : tensor<f32>
}
