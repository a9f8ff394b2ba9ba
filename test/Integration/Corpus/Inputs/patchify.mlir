// A step with kernels that copy: transposes and reshapes of patches.
func.func @loss(%im: tensor<2x8x8x3xf32> {tt.input="im"}, %w: tensor<48x16xf32> {tt.param="w", tt.init="normal:0.2"}, %h: tensor<16x5xf32> {tt.param="h", tt.init="normal:0.2"}, %t: tensor<2xi32> {tt.input="t", tt.index_limit=5}) -> (tensor<f32> {tt.output="loss"}) {
  %a = tt.reshape %im : tensor<2x8x8x3xf32> -> tensor<2x2x4x2x4x3xf32>
  %b = tt.transpose %a permutation = [0,1,3,2,4,5] : (tensor<2x2x4x2x4x3xf32>) -> tensor<2x2x2x4x4x3xf32>
  %c = tt.reshape %b : tensor<2x2x2x4x4x3xf32> -> tensor<2x4x48xf32>
  %y = tt.linear in_out %c, %w : (tensor<2x4x48xf32>, tensor<48x16xf32>) -> tensor<2x4x16xf32>
  %g = tt.gelu tanh %y : tensor<2x4x16xf32>
  %m = tt.mean %g dims = [1] : (tensor<2x4x16xf32>) -> tensor<2x16xf32>
  %z = tt.linear in_out %m, %h : (tensor<2x16xf32>, tensor<16x5xf32>) -> tensor<2x5xf32>
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<2x5xf32>, tensor<2xi32>) -> (tensor<f32>, tensor<2xf32>)
  return %l : tensor<f32>
}
