func.func @loss(%p: tensor<1xf32> {tt.param = "p"}, %x: tensor<2x33x3x1xf32> {tt.input = "x"}) -> (tensor<f32> {tt.output = "loss"}) {
  %a = tt.transpose %x permutation = [0, 2, 3, 1] : (tensor<2x33x3x1xf32>) -> tensor<2x3x1x33xf32>
  %b = tt.reshape %a : tensor<2x3x1x33xf32> -> tensor<198xf32>
  %c = tt.slice %b dim = 0 start = 18 size = 26 : (tensor<198xf32>) -> tensor<26xf32>
  %m = tt.mean %c dims = [0] : (tensor<26xf32>) -> tensor<f32>
  %r = tt.reshape %p : tensor<1xf32> -> tensor<f32>
  %f = tt.mul %m, %r : tensor<f32>
  return %f : tensor<f32>
}
