// tolerance: 1e-2
// absolute-tolerance: 1e-37
// not on compiled: the CPU path is f32
// not on layered: the CPU path is f32
// not on decomposed: the CPU path is f32
// input: -1000 -100 -20 0 20 88 100 1000
// input: full(2)
// gradient 0: 0 -7.36575043e-42 -7.83238373e-08 1 2.00000008 2 2 2
// gradient 1: 0 -3.72007598e-42 -4.12230724e-08 0 20 88 100 1000
func.func @f(%x: tensor<8xbf16>, %u: tensor<8xbf16>) -> tensor<8xbf16> {
  %y = tt.swiglu %x, %u : tensor<8xbf16>
  return %y : tensor<8xbf16>
}
