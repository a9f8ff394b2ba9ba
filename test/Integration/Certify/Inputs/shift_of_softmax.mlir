// A loss that does not feel a shift of its logits: the gradient of b is 0.
func.func @loss(%b: tensor<f32> {tt.param = "b"}, %x: tensor<4x5xf32> {tt.input = "x"},
                %t: tensor<4xi32> {tt.input = "t", tt.index_limit = 5}) -> (tensor<f32> {tt.output = "loss"}) {
  %bb = tt.broadcast %b dims = [] : tensor<f32> -> tensor<4x5xf32>
  %l = tt.add %x, %bb : tensor<4x5xf32>
  %loss, %lse = tt.cross_entropy mean %l, %t : (tensor<4x5xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return %loss : tensor<f32>
}
