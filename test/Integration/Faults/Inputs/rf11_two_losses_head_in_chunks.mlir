// Case B through a head in chunks: hidden states are the logits, the weight is the
// identity.
// input: 1 2 3 0 0 0
// input: 1 0 0 0 1 0 0 0 1
// input: 2 0
// input: 0 1
// result 0: 3.135882
// gradient 0: -0.092446 0.428275 -0.335828 -0.916667 0.333333 0.583333
func.func @f(%h: tensor<2x3xf32>, %w: tensor<3x3xf32>, %t: tensor<2xi32>, %u: tensor<2xi32>) -> tensor<f32> {
  %three = tt.constant dense<3.0> : tensor<f32>
  %half = tt.constant dense<0.5> : tensor<f32>
  %l, %lse = tt.linear_cross_entropy mean out_in %h, %w, %t chunks = 2 : (tensor<2x3xf32>, tensor<3x3xf32>, tensor<2xi32>) -> (tensor<f32>, tensor<2xf32>)
  %m, %lse2 = tt.linear_cross_entropy mean out_in %h, %w, %u chunks = 2 : (tensor<2x3xf32>, tensor<3x3xf32>, tensor<2xi32>) -> (tensor<f32>, tensor<2xf32>)
  %s = tt.mul %three, %l : tensor<f32>
  %hm = tt.mul %half, %m : tensor<f32>
  %y = tt.add %s, %hm : tensor<f32>
  return %y : tensor<f32>
}
