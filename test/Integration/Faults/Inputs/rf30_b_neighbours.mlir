// Angles 0.3 and 1.1: position 1, frequencies divided by 10/3, theta as it follows.
// input: 0.5 -1 2 0.25
// input: 1
// cotangent: 1 2 -1 0.5
// result 0: 0.773188 -0.807576 0.68439 1.895814
// gradient 0: 1.546377 1.615153 -0.007992 1.118005
func.func @f(%x: tensor<1x1x1x4xf32>, %p: tensor<1xi32>) -> tensor<1x1x1x4xf32> {
  %y = tt.rope interleaved %x positions(%p) theta = 0.07438016528925619 scaling linear(3.3333333333333335) : (tensor<1x1x1x4xf32>, tensor<1xi32>) -> tensor<1x1x1x4xf32>
  return %y : tensor<1x1x1x4xf32>
}
