// Certified: kernels see operands that are no place for a root or a logarithm.
func.func @loss(%w: tensor<4x6xf32> {tt.param="w", check.range=[0.5,2.0], tt.init="normal:1"}, %x: tensor<4x6xf32> {tt.input="x", check.range=[0.5,2.0]}) -> (tensor<f32> {tt.output="loss"}) {
  %a = tt.mul %w, %x : tensor<4x6xf32>
  %y = tt.sqrt %a : tensor<4x6xf32>
  %l = tt.sum %y dims = [0,1] : (tensor<4x6xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
