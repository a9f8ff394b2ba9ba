// The bigram model with numbers beside its loss: two scalars, which are logged, and what
// it guessed, which is not.
func.func @loss(%wte: tensor<40x16xf32> {tt.param = "wte", tt.init = "normal:0.2"},
                %head: tensor<16x40xf32> {tt.param = "head", tt.init = "normal:0.2"},
                %tokens: tensor<4x8xi32> {tt.input = "tokens", tt.index_limit = 40},
                %targets: tensor<4x8xi32> {tt.input = "targets", tt.index_limit = 40, tt.index_ignore = -100})
    -> (tensor<f32> {tt.output = "accuracy"}, tensor<f32> {tt.output = "loss"},
        tensor<4x8xi32> {tt.output = "guess"}, tensor<i32> {tt.output = "right, of 32"}) {
  %x = tt.embedding %wte, %tokens : (tensor<40x16xf32>, tensor<4x8xi32>) -> tensor<4x8x16xf32>
  %y = tt.gelu tanh %x : tensor<4x8x16xf32>
  %z = tt.linear in_out %y, %head : (tensor<4x8x16xf32>, tensor<16x40xf32>) -> tensor<4x8x40xf32>
  %loss, %lse = tt.cross_entropy mean %z, %targets : (tensor<4x8x40xf32>, tensor<4x8xi32>) -> (tensor<f32>, tensor<4x8xf32>)
  %guess = tt.argmax %z dim = 2 : (tensor<4x8x40xf32>) -> tensor<4x8xi32>
  %is_right = tt.compare eq %guess, %targets : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
  %right = tt.cast %is_right : tensor<4x8xi1> to tensor<4x8xf32>
  %accuracy = tt.mean %right dims = [0, 1] : (tensor<4x8xf32>) -> tensor<f32>
  %sum = tt.sum %right dims = [0, 1] : (tensor<4x8xf32>) -> tensor<f32>
  %count = tt.cast %sum : tensor<f32> to tensor<i32>
  return %accuracy, %loss, %guess, %count : tensor<f32>, tensor<f32>, tensor<4x8xi32>, tensor<i32>
}
