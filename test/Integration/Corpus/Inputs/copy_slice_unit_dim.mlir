func.func @loss(%p: tensor<3x2x1xf32> {tt.param = "p"}, %w: tensor<6x5xf32> {tt.param = "w"}, %t: tensor<1xi32> {tt.input = "t", tt.index_limit = 5}) -> (tensor<f32> {tt.output = "loss"}) {
  %a = tt.transpose %p permutation = [1, 2, 0] : (tensor<3x2x1xf32>) -> tensor<2x1x3xf32>
  %b = tt.reshape %a : tensor<2x1x3xf32> -> tensor<1x6xf32>
  %l = tt.linear in_out %b, %w : (tensor<1x6xf32>, tensor<6x5xf32>) -> tensor<1x5xf32>
  %loss, %lse = tt.cross_entropy mean %l, %t : (tensor<1x5xf32>, tensor<1xi32>) -> (tensor<f32>, tensor<1xf32>)
  return %loss : tensor<f32>
}
