// Angles 0.3 and 1.1: position 1, frequencies divided by 10/3, theta as it follows.
// input: 0.5 -1 2 0.25
// input: 1
// cotangent: 1 2 -1 0.5
// result 0: -0.113372 -0.676398 2.058433 -0.777808
// gradient 0: 0.659816 1.352796 -1.250857 -1.555617
func.func @f(%x: tensor<1x1x1x4xf32>, %p: tensor<1xi32>) -> tensor<1x1x1x4xf32> {
  %y = tt.rope half_split %x positions(%p) theta = 0.07438016528925619 scaling linear(3.3333333333333335) : (tensor<1x1x1x4xf32>, tensor<1xi32>) -> tensor<1x1x1x4xf32>
  return %y : tensor<1x1x1x4xf32>
}
