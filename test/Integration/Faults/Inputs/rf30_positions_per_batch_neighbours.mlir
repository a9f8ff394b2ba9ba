// The kind: each batch has its own positions; the adjoint turns back by the same.
// input: fill(37,11)
// input: 1 5 2 0
// cotangent: fill(17,5)
// result 0: -0.237070101 -0.831918736 0.236011708 0.934480365 -0.105745961 0.522725186 0.938022351 -0.41339487 -0.215036576 -0.356167059 1.00593775 -0.32219854 0.0625 0.640625 -0.796875 -0.21875
// gradient 0: -1.05030652 0.421157676 -0.401152679 -0.0853780923 -0.349672992 0.250086489 1.03908723 0.500619618 -0.159152726 0.966384461 -0.278747933 0.040562209 0.25 0.515625 0.78125 -0.96875
func.func @f(%x: tensor<2x1x2x4xf32>, %p: tensor<2x2xi32>) -> tensor<2x1x2x4xf32> {
  %y = tt.rope interleaved %x positions(%p) theta = 100.0 : (tensor<2x1x2x4xf32>, tensor<2x2xi32>) -> tensor<2x1x2x4xf32>
  return %y : tensor<2x1x2x4xf32>
}
