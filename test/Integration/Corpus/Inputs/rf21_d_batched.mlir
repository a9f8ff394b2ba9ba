func.func @loss(%a: tensor<2x3x4xf32> {tt.input = "a"}, %m: tensor<4x2xf32> {tt.param = "m"}, %dy: tensor<2x3x2xf32> {tt.input = "dy"}) -> (tensor<f32> {tt.output = "loss"}) {
  %mb = tt.broadcast %m dims = [1, 2] : tensor<4x2xf32> -> tensor<2x4x2xf32>
  %y = tt.matmul %a, %mb : (tensor<2x3x4xf32>, tensor<2x4x2xf32>) -> tensor<2x3x2xf32>
  %wy = tt.mul %y, %dy : tensor<2x3x2xf32>
  %loss = tt.sum %wy dims = [0, 1, 2] : (tensor<2x3x2xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}