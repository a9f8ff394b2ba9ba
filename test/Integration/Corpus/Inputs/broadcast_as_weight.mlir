// A value that a broadcast reads, the weight of a linear map with a kernel of its own, and
// that the bias of the same map reads: its kernel cannot wait for the bias.
func.func @loss(%p: tensor<7xf32> {tt.param = "p"}, %x: tensor<5xf32> {tt.input = "x"}) -> (tensor<f32> {tt.output = "loss"}) {
  %g = tt.geglu erf %p, %p : tensor<7xf32>
  %w = tt.broadcast %g dims = [1] : tensor<7xf32> -> tensor<5x7xf32>
  %b = tt.tanh %g : tensor<7xf32>
  %y = tt.linear in_out %x, %w, %b : (tensor<5xf32>, tensor<5x7xf32>, tensor<7xf32>) -> tensor<7xf32>
  %s = tt.square %y : tensor<7xf32>
  %l = tt.mean %s dims = [0] : (tensor<7xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
