func.func @loss(%p: tensor<f32> {tt.param = "p"}, %x: tensor<f32> {tt.input = "x"}) -> (tensor<f32> {tt.output = "loss"}) {
  %f = tt.mul %x, %p : tensor<f32>
  return %f : tensor<f32>
}
