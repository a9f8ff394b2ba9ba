// The gradient is off by 1 % of itself.
// tolerance: 1e-3
// input: 40000 40001 40002 40003
// input: full(1)
// input: full(0)
// cotangent: 1 0 0 0
// result 0: -1.341635 -0.447212 0.447212 1.341635
// gradient 0: 0.26833 -0.357768 -0.089443 0.178882
func.func @f(%x: tensor<1x4xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<1x4xf32> {
  %scaled = tt.grad_transform scale 1.01 %x : tensor<1x4xf32>
  %y, %m, %r = tt.layer_norm %scaled, %g, %b eps = 1.0e-5 : (tensor<1x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<1x4xf32>, tensor<1xf32>, tensor<1xf32>)
  return %y : tensor<1x4xf32>
}
