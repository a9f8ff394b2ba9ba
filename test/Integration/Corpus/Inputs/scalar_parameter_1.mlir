func.func @loss(%p: tensor<f32> {tt.param = "p"}, %x: tensor<26xf32> {tt.input = "x"}) -> (tensor<f32> {tt.output = "loss"}) {
  %m = tt.sum %x dims = [0] : (tensor<26xf32>) -> tensor<f32>
  %f = tt.mul %m, %p : tensor<f32>
  return %f : tensor<f32>
}
