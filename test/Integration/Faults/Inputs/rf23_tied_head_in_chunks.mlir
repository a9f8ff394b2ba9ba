// The kind: the tied matrix read by a head that gathers its own part of the gradient.
// input: 0.5 -0.25 1 0.75 -0.5 0.25
// input: 2
// input: 0
// result 0: 1.352801
// gradient 0: 0.370742 -0.185371 -0.129258 0.064629 -0.595197 0.620742
func.func @f(%e: tensor<3x2xf32>, %i: tensor<1xi32>, %t: tensor<1xi32>) -> tensor<f32> {
  %h = tt.embedding %e, %i : (tensor<3x2xf32>, tensor<1xi32>) -> tensor<1x2xf32>
  %l, %lse = tt.linear_cross_entropy mean out_in %h, %e, %t chunks = 1 : (tensor<1x2xf32>, tensor<3x2xf32>, tensor<1xi32>) -> (tensor<f32>, tensor<1xf32>)
  return %l : tensor<f32>
}
