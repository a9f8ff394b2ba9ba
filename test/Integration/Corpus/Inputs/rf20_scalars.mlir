func.func @loss(%a: tensor<f32> {tt.param = "a"}, %b: tensor<f32> {tt.param = "b"}) -> (tensor<f32> {tt.output = "loss"}) {
  %y = tt.mul %a, %b : tensor<f32>
  return %y : tensor<f32>
}