// The gradient of a bias that 4096 rows read.
// absolute-tolerance: 0
// tolerance: 0
// not on compiled: the CPU path is f32
// not on layered: the CPU path is f32
// not on decomposed: the CPU path is f32
// input: full(1)
// input: full(1)
// input: full(0)
// gradient 2: 4096 4096
func.func @f(%x: tensor<4096x1xbf16>, %w: tensor<1x2xbf16>, %b: tensor<2xbf16>) -> tensor<4096x2xbf16> {
  %y = tt.linear in_out %x, %w, %b : (tensor<4096x1xbf16>, tensor<1x2xbf16>, tensor<2xbf16>) -> tensor<4096x2xbf16>
  return %y : tensor<4096x2xbf16>
}
