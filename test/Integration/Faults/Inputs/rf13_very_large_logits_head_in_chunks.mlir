// The same through a head that forms the logits again, row by row.
// input: 4000000 4000001 4000002 4000003 -8000000 -8000000 -8000000 -8000000 9.99999996e+11 9.99999996e+11 9.99999996e+11 9.99999996e+11
// input: 1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1
// input: 1 3 0
// result 0: 1.73759281
// gradient 0: 0.0106862011 -0.304285227 0.0789609394 0.214638087 0.0833333333 0.0833333333 0.0833333333 -0.25 -0.25 0.0833333333 0.0833333333 0.0833333333
func.func @f(%h: tensor<3x4xf32>, %w: tensor<4x4xf32>, %t: tensor<3xi32>) -> tensor<f32> {
  %l, %lse = tt.linear_cross_entropy mean out_in %h, %w, %t chunks = 3 : (tensor<3x4xf32>, tensor<4x4xf32>, tensor<3xi32>) -> (tensor<f32>, tensor<3xf32>)
  return %l : tensor<f32>
}
