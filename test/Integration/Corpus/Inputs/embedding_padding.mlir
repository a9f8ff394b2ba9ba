// A row that is read and passes nothing: one of few, so that every draw meets it.
func.func @loss(%t: tensor<3x8xf32> {tt.param = "wte", tt.init = "normal:0.2"},
                %w: tensor<9x8xf32> {tt.param = "head", tt.init = "normal:0.2"},
                %i: tensor<2x6xi32> {tt.input = "tokens", tt.index_limit = 3},
                %g: tensor<2x6xi32> {tt.input = "targets", tt.index_limit = 9}) -> (tensor<f32> {tt.output = "loss"}) {
  %e = tt.embedding %t, %i {padding_index = 1 : i64} : (tensor<3x8xf32>, tensor<2x6xi32>) -> tensor<2x6x8xf32>
  %z = tt.linear out_in %e, %w : (tensor<2x6x8xf32>, tensor<9x8xf32>) -> tensor<2x6x9xf32>
  %loss, %lse = tt.cross_entropy mean %z, %g : (tensor<2x6x9xf32>, tensor<2x6xi32>) -> (tensor<f32>, tensor<2x6xf32>)
  return %loss : tensor<f32>
}
