// Rotations by positions of the run, per token and per sample, and scaled tables.
func.func @loss(%a: tensor<2x3x5x6xf32> {tt.param = "a"}, %b: tensor<2x5x32xf32> {tt.param = "b"},
                %p: tensor<2x5xi32> {tt.input = "p", tt.index_limit = 131072}, %q: tensor<5xi64> {tt.input = "q", tt.index_limit = 131072}) -> (tensor<f32> {tt.output = "loss"}) {
  %0 = tt.rope half_split %a positions(%p) theta = 1.0e4 : (tensor<2x3x5x6xf32>, tensor<2x5xi32>) -> tensor<2x3x5x6xf32>
  %1 = tt.rope interleaved %0 positions(%q) theta = 5.0e5 scaling llama3(8.0, 1.0, 4.0, 8192) : (tensor<2x3x5x6xf32>, tensor<5xi64>) -> tensor<2x3x5x6xf32>
  %2 = tt.rope half_split %b positions(%q) theta = 1.0e4 scaling ntk(4.0) : (tensor<2x5x32xf32>, tensor<5xi64>) -> tensor<2x5x32xf32>
  %3 = tt.rope interleaved inverse %2 positions(%p) theta = 1.0e4 scaling linear(4.0) : (tensor<2x5x32xf32>, tensor<2x5xi32>) -> tensor<2x5x32xf32>
  %4 = tt.rope half_split %3 theta = 1.0e4 scaling llama3(4.0, 1.0, 4.0, 16) : (tensor<2x5x32xf32>) -> tensor<2x5x32xf32>
  %5 = tt.sin %1 : tensor<2x3x5x6xf32>
  %6 = tt.exp %4 : tensor<2x5x32xf32>
  %x = tt.mean %5 dims = [0, 1, 2, 3] : (tensor<2x3x5x6xf32>) -> tensor<f32>
  %y = tt.mean %6 dims = [0, 1, 2] : (tensor<2x5x32xf32>) -> tensor<f32>
  %l = tt.add %x, %y : tensor<f32>
  return %l : tensor<f32>
}
