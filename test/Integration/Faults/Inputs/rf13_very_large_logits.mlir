// Logits far above the digits of the sum of their powers, which an f32 log-sum-exp drops:
// p must still sum to 1, and the loss be that of the differences.
// input: 4000000 4000001 4000002 4000003 -8000000 -8000000 -8000000 -8000000 9.99999996e+11 9.99999996e+11 9.99999996e+11 9.99999996e+11
// input: 1 3 0
// result 0: 1.73759281
// gradient 0: 0.0106862011 -0.304285227 0.0789609394 0.214638087 0.0833333333 0.0833333333 0.0833333333 -0.25 -0.25 0.0833333333 0.0833333333 0.0833333333
func.func @f(%z: tensor<3x4xf32>, %t: tensor<3xi32>) -> tensor<f32> {
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<3x4xf32>, tensor<3xi32>) -> (tensor<f32>, tensor<3xf32>)
  return %l : tensor<f32>
}
