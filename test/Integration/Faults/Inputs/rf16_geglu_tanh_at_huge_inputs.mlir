// The same gated.
// input: 2e19 -2e19 1e30 -1e30
// input: 2 3 -1 1
// result 0: 4e19 0 -1e30 0
// gradient 0: 2 0 -1 0
// gradient 1: 2e19 0 1e30 0
func.func @f(%x: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.geglu tanh %x, %u : tensor<4xf32>
  return %y : tensor<4xf32>
}
