// input: 1 2 3 4 5 6
// input: 1 0.5 2
// cotangent: 1 0 0 0 1 0
// gradient 0: 0.429845 -0.06613 -0.099195 -0.025634 0.06665 -0.038452
// gradient 1: 0.46291 0.986928 0
func.func @f(%x: tensor<2x3xf32>, %w: tensor<3xf32>) -> tensor<2x3xf32> {
  %y, %r = tt.rms_norm %x, %w eps = 1.0e-6 : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  return %y : tensor<2x3xf32>
}
