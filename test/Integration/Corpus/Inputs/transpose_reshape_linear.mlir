func.func @loss(%p: tensor<1xf32> {tt.param = "p"}, %x0: tensor<7x33x3x1xf32> {tt.input = "x0"}, %x1: tensor<13xf32> {tt.input = "x1"}) -> (tensor<f32> {tt.output = "loss"}) {
  %v6 = tt.transpose %x0 permutation = [0, 2, 3, 1] : (tensor<7x33x3x1xf32>) -> tensor<7x3x1x33xf32>
  %v7 = tt.reshape %v6 : tensor<7x3x1x33xf32> -> tensor<693xf32>
  %v8 = tt.slice %v7 dim = 0 start = 513 size = 26 : (tensor<693xf32>) -> tensor<26xf32>
  %m = tt.mean %v8 dims = [0] : (tensor<26xf32>) -> tensor<f32>
  %r = tt.reshape %p : tensor<1xf32> -> tensor<f32>
  %f = tt.mul %m, %r : tensor<f32>
  return %f : tensor<f32>
}
