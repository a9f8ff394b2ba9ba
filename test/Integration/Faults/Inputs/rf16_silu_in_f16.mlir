// Numbers below 6e-8 are subnormal or 0 in f16.
// tolerance: 2e-3
// absolute-tolerance: 6e-8
// not on compiled: the CPU path is f32
// not on layered: the CPU path is f32
// not on decomposed: the CPU path is f32
// input: -1000 -100 -20 0 20 88 100 1000
// result 0: 0 -3.72007598e-42 -4.12230724e-08 0 20 88 100 1000
// gradient 0: 0 -3.68287522e-42 -3.91619187e-08 0.5 1.00000004 1 1 1
func.func @f(%x: tensor<8xf16>) -> tensor<8xf16> {
  %y = tt.silu %x : tensor<8xf16>
  return %y : tensor<8xf16>
}
