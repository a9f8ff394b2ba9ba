// Sum and mean of 4096 ones.
// absolute-tolerance: 0
// tolerance: 0
// not on compiled: the CPU path is f32
// not on layered: the CPU path is f32
// not on decomposed: the CPU path is f32
// input: full(1)
// result 0: 4096
// result 1: 1
func.func @f(%x: tensor<4096xf16>) -> (tensor<f16>, tensor<f16>) {
  %s = tt.sum %x dims = [0] : (tensor<4096xf16>) -> tensor<f16>
  %m = tt.mean %x dims = [0] : (tensor<4096xf16>) -> tensor<f16>
  return %s, %m : tensor<f16>, tensor<f16>
}
