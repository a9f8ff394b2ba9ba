// The gradient of w is chosen by the token: 0.1, infinite, 0.2. The entropy of three
// equal logits is there because tt-train wants targets and logits.
func.func @loss(%w: tensor<1x1x1xf32> {tt.param = "w", tt.init = "one"},
                %tokens: tensor<1x1xi32> {tt.input = "tokens", tt.index_limit = 3},
                %targets: tensor<1x1xi32> {tt.input = "targets", tt.index_limit = 3, tt.index_ignore = -100})
    -> (tensor<f32> {tt.output = "loss"}) {
  %table = tt.constant dense<[[0.1], [0x7F800000], [0.2]]> : tensor<3x1xf32>
  %c = tt.embedding %table, %tokens : (tensor<3x1xf32>, tensor<1x1xi32>) -> tensor<1x1x1xf32>
  %p = tt.mul %w, %c : tensor<1x1x1xf32>
  %sum = tt.sum %p dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<f32>
  %zeros = tt.constant dense<0.0> : tensor<3x3xf32>
  %equal = tt.embedding %zeros, %tokens : (tensor<3x3xf32>, tensor<1x1xi32>) -> tensor<1x1x3xf32>
  %entropy, %lse = tt.cross_entropy mean %equal, %targets : (tensor<1x1x3xf32>, tensor<1x1xi32>) -> (tensor<f32>, tensor<1x1xf32>)
  %loss = tt.add %sum, %entropy : tensor<f32>
  return %loss : tensor<f32>
}
