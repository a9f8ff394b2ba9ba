// Numbers below 1e-37 are subnormal or 0 in bf16.
// tolerance: 1e-2
// absolute-tolerance: 1e-37
// not on compiled: the CPU path is f32
// not on layered: the CPU path is f32
// not on decomposed: the CPU path is f32
// input: -1000 -100 -20 0 20 88 100 1000
// result 0: 0 3.72007598e-44 2.06115362e-09 0.693147181 20 88 100 1000
// gradient 0: 0 3.72007598e-44 2.06115362e-09 0.5 0.999999998 1 1 1
func.func @f(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %y = tt.softplus %x : tensor<8xbf16>
  return %y : tensor<8xbf16>
}
