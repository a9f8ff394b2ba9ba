// The kind: x^3 of 1000 is in the exponent.
// absolute-tolerance: 1e-37
// input: -1000 -100 -20 0 20 88 100 1000
// result 0: 0 0 0 0 20 88 100 1000
// gradient 0: 0 0 0 0.5 1 1 1 1
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = tt.gelu tanh %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
