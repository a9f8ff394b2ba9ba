// The op takes any mean and rstd: compiled code may take off what rounding leaves of a
// mean, but not that a given number is no mean.
func.func @loss(%x: tensor<4x8xf32> {tt.param = "x", tt.init = "normal:0.5"},
                %g: tensor<8xf32> {tt.input = "g"}, %mean: tensor<4xf32> {tt.input = "mean"},
                %rstd: tensor<4xf32> {tt.input = "rstd"},
                %dy: tensor<4x8xf32> {tt.input = "dy"}) -> (tensor<f32> {tt.output = "loss"}) {
  %dx = tt.layer_norm_bwd %x, %g, %mean, %rstd, %dy : (tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = tt.square %dx : tensor<4x8xf32>
  %l = tt.mean %s dims = [0, 1] : (tensor<4x8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
