// The gradient of a log-sum-exp is the softmax, also where it is too large for its digits.
// input: 4000000 -8000000 9.99999996e+11 4000001 -8000000 9.99999996e+11 4000002 -8000000 9.99999996e+11 4000003 -8000000 9.99999996e+11
// cotangent: 1 2 -1
// gradient 0: 0.0320586033 0.5 -0.25 0.0871443187 0.5 -0.25 0.236882818 0.5 -0.25 0.64391426 0.5 -0.25
func.func @f(%z: tensor<4x3xf32>) -> tensor<3xf32> {
  %l = tt.logsumexp %z dims = [0] : (tensor<4x3xf32>) -> tensor<3xf32>
  return %l : tensor<3xf32>
}
