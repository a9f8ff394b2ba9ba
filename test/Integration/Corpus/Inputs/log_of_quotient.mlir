// Certified: kernels see operands that are no place for a root or a logarithm.
func.func @loss(%w: tensor<6x8xf32> {tt.param="w", tt.init="uniform:1"}, %x: tensor<6x8xf32> {tt.input="x"}) -> (tensor<f32> {tt.output="loss"}) {
  %s = tt.sigmoid %w : tensor<6x8xf32>
  %e = tt.exp %x : tensor<6x8xf32>
  %z = tt.add %s, %e : tensor<6x8xf32>
  %t = tt.sum %z dims = [0] : (tensor<6x8xf32>) -> tensor<8xf32>
  %u = tt.sum %s dims = [0] : (tensor<6x8xf32>) -> tensor<8xf32>
  %d = tt.div %u, %t : tensor<8xf32>
  %p = tt.log %d : tensor<8xf32>
  %l = tt.sum %p dims = [0] : (tensor<8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
