// The kind: each batch has its own positions; the adjoint turns back by the same.
// input: fill(37,11)
// input: 1 5 2 0
// cotangent: fill(17,5)
// result 0: -0.723545514 -0.339225075 -0.519556465 0.876764171 0.448632136 0.430669933 0.686717387 -0.690562759 -0.740724151 0.43933676 -0.596751949 -0.437054247 0.0625 0.640625 -0.796875 -0.21875
// gradient 0: -0.826790792 -0.665450661 0.564675476 -0.058859841 -0.604387252 0.805979358 0.325434257 0.627967027 0.0823794034 -0.539078118 0.855845457 0.09333375 0.25 0.515625 0.78125 -0.96875
func.func @f(%x: tensor<2x1x2x4xf32>, %p: tensor<2x2xi32>) -> tensor<2x1x2x4xf32> {
  %y = tt.rope half_split %x positions(%p) theta = 100.0 : (tensor<2x1x2x4xf32>, tensor<2x2xi32>) -> tensor<2x1x2x4xf32>
  return %y : tensor<2x1x2x4xf32>
}
