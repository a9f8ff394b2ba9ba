// 512 equal logits.
// absolute-tolerance: 0
// tolerance: 1e-15
// not on compiled: the CPU path is f32
// not on layered: the CPU path is f32
// not on decomposed: the CPU path is f32
// input: full(3)
// result 0: full(0.001953125)
func.func @f(%x: tensor<512xbf16>) -> tensor<512xbf16> {
  %y = tt.softmax %x : tensor<512xbf16>
  return %y : tensor<512xbf16>
}
