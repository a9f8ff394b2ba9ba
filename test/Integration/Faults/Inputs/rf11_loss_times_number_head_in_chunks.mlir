// The same through a head whose logits are never all there: hidden states are the
// logits, the weight is the identity.
// input: 1 2 3 0 0 0
// input: 1 0 0 0 1 0 0 0 1
// input: 2 0
// result 0: 2.259327
// gradient 0: 0.135046 0.367093 -0.502139 -1 0.5 0.5
func.func @f(%h: tensor<2x3xf32>, %w: tensor<3x3xf32>, %t: tensor<2xi32>) -> tensor<f32> {
  %three = tt.constant dense<3.0> : tensor<f32>
  %l, %lse = tt.linear_cross_entropy mean out_in %h, %w, %t chunks = 2 : (tensor<2x3xf32>, tensor<3x3xf32>, tensor<2xi32>) -> (tensor<f32>, tensor<2xf32>)
  %s = tt.mul %three, %l : tensor<f32>
  return %s : tensor<f32>
}
