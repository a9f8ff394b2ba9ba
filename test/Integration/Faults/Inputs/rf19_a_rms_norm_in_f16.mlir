// 300^2 is above the largest f16.
// tolerance: 1e-3
// absolute-tolerance: 1e-7
// not on compiled: the CPU path is f32
// not on layered: the CPU path is f32
// not on decomposed: the CPU path is f32
// input: 300 400
// input: full(1)
// cotangent: 1 0
// result 0: 0.848528 1.131371
// gradient 0: 0.00181019 -0.00135765
func.func @f(%x: tensor<1x2xf16>, %g: tensor<2xf16>) -> tensor<1x2xf16> {
  %y, %r = tt.rms_norm %x, %g eps = 1.0e-5 : (tensor<1x2xf16>, tensor<2xf16>) -> (tensor<1x2xf16>, tensor<1xf32>)
  return %y : tensor<1x2xf16>
}
