// Form A: the root itself is not guarded. The adjoint of the side that is not taken
// runs, as select's text says: 0 * inf.
// input: 4 0 1
// gradient 0: 0.25 nan 0.5
func.func @f(%x: tensor<3xf32>) -> tensor<f32> {
  %half = tt.constant dense<0.5> : tensor<3xf32>
  %zero = tt.constant dense<0.0> : tensor<3xf32>
  %c = tt.compare gt %x, %half : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %r = tt.sqrt %x : tensor<3xf32>
  %s = tt.select %c, %r, %zero : tensor<3xi1>, tensor<3xf32>
  %l = tt.sum %s dims = [0] : (tensor<3xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
