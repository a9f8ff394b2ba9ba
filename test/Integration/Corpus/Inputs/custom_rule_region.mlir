// A rule that is a region, without a forward one: the true derivative.
func.func private @square(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %y = tt.square %x : tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}
func.func @loss(%w: tensor<4x6xf32> {tt.param = "w", tt.init = "normal:1"}, %x: tensor<4x6xf32> {tt.input = "x"}) -> (tensor<f32> {tt.output = "loss"}) {
  %a = tt.mul %w, %x : tensor<4x6xf32>
  %y = tt.custom_vjp @square(%a) : (tensor<4x6xf32>) -> tensor<4x6xf32> rule {
  ^bb0(%b: tensor<4x6xf32>, %s: tensor<4x6xf32>, %ds: tensor<4x6xf32>):
    %two = tt.constant dense<2.0> : tensor<4x6xf32>
    %t = tt.mul %b, %two : tensor<4x6xf32>
    %db = tt.mul %t, %ds : tensor<4x6xf32>
    tt.yield %db : tensor<4x6xf32>
  }
  %l = tt.mean %y dims = [0, 1] : (tensor<4x6xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
