// The kind: 3 mse, 3 bce_with_logits and 3 kl_div, each with its own input.
// input: 0.5 -1 2 0.25
// input: 0.5 -1 2 0.25
// input: 0.5 -1 2 0.25
// input: 0.25 0 1 0.75
// result 0: 1.02402822
// gradient 0: 0.375 -1.5 1.5 -0.75
// gradient 1: 0.279344498 0.201706066 -0.0894021915 -0.140867624
// gradient 2: -0.1875 0 -0.75 -0.5625
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>, %t: tensor<4xf32>) -> tensor<f32> {
  %three = tt.constant dense<3.0> : tensor<f32>
  %held = tt.stop_gradient %t : tensor<4xf32>
  %0 = tt.mse mean %a, %held : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %1 = tt.bce_with_logits mean %b, %held : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %2 = tt.kl_div mean %c, %held : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %3 = tt.add %0, %1 : tensor<f32>
  %4 = tt.add %3, %2 : tensor<f32>
  %5 = tt.mul %three, %4 : tensor<f32>
  return %5 : tensor<f32>
}
