func.func @loss(%p: tensor<2x1x3xf32> {tt.param = "p"}, %x: tensor<3x2x1xf32> {tt.input = "x"}) -> (tensor<f32> {tt.output = "loss"}) {
  %a = tt.transpose %x permutation = [1, 2, 0] : (tensor<3x2x1xf32>) -> tensor<2x1x3xf32>
  %b = tt.mul %a, %p : tensor<2x1x3xf32>
  %c = tt.tanh %b : tensor<2x1x3xf32>
  %m = tt.mean %c dims = [0,1,2] : (tensor<2x1x3xf32>) -> tensor<f32>
  return %m : tensor<f32>
}
