// The kind, in f32: sum and mean of 4096 ones, softmax of 512 equal logits, and the
// gradient of a bias that 4096 rows read. All exact.
// absolute-tolerance: 0
// tolerance: 1e-7
// input: full(1)
// input: full(3)
// input: full(0)
// result 0: 4096
// result 1: 1
// result 2: full(0.001953125)
// result 3: 0
// gradient 2: full(4096)
func.func @f(%x: tensor<4096xf32>, %z: tensor<512xf32>, %b: tensor<2xf32>) -> (tensor<f32>, tensor<f32>, tensor<512xf32>, tensor<f32>) {
  %s = tt.sum %x dims = [0] : (tensor<4096xf32>) -> tensor<f32>
  %m = tt.mean %x dims = [0] : (tensor<4096xf32>) -> tensor<f32>
  %p = tt.softmax %z : tensor<512xf32>
  %w = tt.broadcast %b dims = [1] : tensor<2xf32> -> tensor<4096x2xf32>
  %y = tt.sum %w dims = [0, 1] : (tensor<4096x2xf32>) -> tensor<f32>
  return %s, %m, %p, %y : tensor<f32>, tensor<f32>, tensor<512xf32>, tensor<f32>
}
