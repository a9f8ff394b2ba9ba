// The kind: neither log(1 - s) nor e^x overflows.
// absolute-tolerance: 1e-37
// input: -1000 -100 -20 0 20 88 100 1000
// input: 1 0 1 0.5 0 1 0 1
// result 0: 1000 3.72007598e-44 20 0.693147181 20 6.0546019e-39 100 0
// gradient 0: -1 3.72007598e-44 -0.999999998 0 0.999999998 -6.0546019e-39 1 0
func.func @f(%x: tensor<8xf32>, %t: tensor<8xf32>) -> tensor<8xf32> {
  %held = tt.stop_gradient %t : tensor<8xf32>
  %y = tt.bce_with_logits none %x, %held : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
