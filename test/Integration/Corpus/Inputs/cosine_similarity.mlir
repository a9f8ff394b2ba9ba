// Certified: kernels see operands that are no place for a root or a logarithm.
func.func @loss(%a: tensor<8x6xf32> {tt.param="a", tt.init="normal:1"}, %b: tensor<8x6xf32> {tt.param="b", tt.init="normal:1"}) -> (tensor<f32> {tt.output="loss"}) {
  %aa = tt.mul %a, %a : tensor<8x6xf32>
  %sa = tt.sum %aa dims = [0] : (tensor<8x6xf32>) -> tensor<6xf32>
  %bb = tt.mul %b, %b : tensor<8x6xf32>
  %sb = tt.sum %bb dims = [0] : (tensor<8x6xf32>) -> tensor<6xf32>
  %ab = tt.mul %a, %b : tensor<8x6xf32>
  %s = tt.sum %ab dims = [0] : (tensor<8x6xf32>) -> tensor<6xf32>
  %p = tt.mul %sa, %sb : tensor<6xf32>
  %n = tt.sqrt %p : tensor<6xf32>
  %c = tt.div %s, %n : tensor<6xf32>
  %l = tt.sum %c dims = [0] : (tensor<6xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
