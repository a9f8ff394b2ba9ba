// Certified: kernels see operands that are no place for a root or a logarithm.
func.func @loss(%a: tensor<8x6xf32> {tt.param="a", tt.init="normal:1"}) -> (tensor<f32> {tt.output="loss"}) {
  %aa = tt.square %a : tensor<8x6xf32>
  %m2 = tt.mean %aa dims = [0] : (tensor<8x6xf32>) -> tensor<6xf32>
  %m = tt.mean %a dims = [0] : (tensor<8x6xf32>) -> tensor<6xf32>
  %mm = tt.square %m : tensor<6xf32>
  %v = tt.sub %m2, %mm : tensor<6xf32>
  %n = tt.rsqrt %v : tensor<6xf32>
  %l = tt.sum %n dims = [0] : (tensor<6xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
