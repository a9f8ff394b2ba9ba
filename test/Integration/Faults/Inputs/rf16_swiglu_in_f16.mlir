// tolerance: 2e-3
// absolute-tolerance: 6e-8
// not on compiled: the CPU path is f32
// not on layered: the CPU path is f32
// not on decomposed: the CPU path is f32
// input: -1000 -100 -20 0 20 88 100 1000
// input: full(2)
// gradient 0: 0 -7.36575043e-42 -7.83238373e-08 1 2.00000008 2 2 2
// gradient 1: 0 -3.72007598e-42 -4.12230724e-08 0 20 88 100 1000
func.func @f(%x: tensor<8xf16>, %u: tensor<8xf16>) -> tensor<8xf16> {
  %y = tt.swiglu %x, %u : tensor<8xf16>
  return %y : tensor<8xf16>
}
