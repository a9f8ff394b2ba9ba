// The product with the weight is formed in f32 and rounded once, as the text of the op
// says: 0.470703. Rounding the normalised value first gives 0.472656.
// tolerance: 1e-2
// f32-tolerance: 1e-6
// not on compiled: the CPU path is f32
// not on layered: the CPU path is f32
// not on decomposed: the CPU path is f32
// input: 1 4
// input: 1.375 1
// result 0 at 0: 0.470703125
func.func @f(%x: tensor<1x2xbf16>, %g: tensor<2xbf16>) -> tensor<1x2xbf16> {
  %y, %r = tt.rms_norm %x, %g eps = 1.0e-5 : (tensor<1x2xbf16>, tensor<2xbf16>) -> (tensor<1x2xbf16>, tensor<1xf32>)
  return %y : tensor<1x2xbf16>
}
