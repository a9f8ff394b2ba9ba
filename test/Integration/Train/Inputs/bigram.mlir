// A bigram model of at most 40 characters with a hidden layer, as a user would write it.
func.func @loss(%wte: tensor<40x16xf32> {tt.param = "wte", tt.init = "normal:0.2"},
                %head: tensor<16x40xf32> {tt.param = "head", tt.init = "normal:0.2"},
                %tokens: tensor<4x8xi32> {tt.input = "tokens", tt.index_limit = 40},
                %targets: tensor<4x8xi32> {tt.input = "targets", tt.index_limit = 40, tt.index_ignore = -100})
    -> (tensor<f32> {tt.output = "loss"}) {
  %x = tt.embedding %wte, %tokens : (tensor<40x16xf32>, tensor<4x8xi32>) -> tensor<4x8x16xf32>
  %y = tt.gelu tanh %x : tensor<4x8x16xf32>
  %z = tt.linear in_out %y, %head : (tensor<4x8x16xf32>, tensor<16x40xf32>) -> tensor<4x8x40xf32>
  %loss, %lse = tt.cross_entropy mean %z, %targets : (tensor<4x8x40xf32>, tensor<4x8xi32>) -> (tensor<f32>, tensor<4x8xf32>)
  return %loss : tensor<f32>
}
