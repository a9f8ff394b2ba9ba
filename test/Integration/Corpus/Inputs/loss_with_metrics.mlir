// Metrics beside the loss: an input as it came, a parameter, the loss under another name
// and in a mean, a value that the backward reads, integers. They change no gradient.
func.func private @layer(%x: tensor<6x8xf32>, %w: tensor<8x8xf32>) -> (tensor<6x8xf32>, tensor<6x8xf32>) {
  %h = tt.linear in_out %x, %w : (tensor<6x8xf32>, tensor<8x8xf32>) -> tensor<6x8xf32>
  %g = tt.gelu tanh %h : tensor<6x8xf32>
  %y = tt.add %x, %g : tensor<6x8xf32>
  return %y, %h : tensor<6x8xf32>, tensor<6x8xf32>
}
func.func @loss(%w0: tensor<8x8xf32> {tt.param = "w0"}, %w1: tensor<8x8xf32> {tt.param = "w1"},
    %b: tensor<8xf32> {tt.param = "b"},
    %x: tensor<6x8xf32> {tt.input = "x"}, %t: tensor<6xi32> {tt.input = "t", tt.index_limit = 8})
    -> (tensor<6xi32> {tt.output = "guess"}, tensor<6x8xf32> {tt.output = "hidden"},
        tensor<f32> {tt.output = "loss"}, tensor<f32> {tt.output = "same"},
        tensor<6x8xf32> {tt.output = "input"}, tensor<8xf32> {tt.output = "bias"},
        tensor<6xf32> {tt.output = "lse"}, tensor<f32> {tt.output = "score"},
        tensor<6x8xi1> {tt.output = "above"}, tensor<6xi32> {tt.output = "whole"}) {
  %y0, %h0 = call @layer(%x, %w0) : (tensor<6x8xf32>, tensor<8x8xf32>) -> (tensor<6x8xf32>, tensor<6x8xf32>)
  %y1, %h1 = call @layer(%y0, %w1) : (tensor<6x8xf32>, tensor<8x8xf32>) -> (tensor<6x8xf32>, tensor<6x8xf32>)
  %rows = tt.broadcast %b dims = [1] : tensor<8xf32> -> tensor<6x8xf32>
  %z = tt.add %y1, %rows : tensor<6x8xf32>
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<6x8xf32>, tensor<6xi32>) -> (tensor<f32>, tensor<6xf32>)
  %guess = tt.argmax %z dim = 1 : (tensor<6x8xf32>) -> tensor<6xi32>
  %s = tt.mean %lse dims = [0] : (tensor<6xf32>) -> tensor<f32>
  %score = tt.add %s, %l : tensor<f32>
  %above = tt.compare gt %x, %h0 : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xi1>
  %negative = tt.constant dense<-3> : tensor<6xi32>
  %whole = tt.add %negative, %t : tensor<6xi32>
  return %guess, %h0, %l, %l, %x, %b, %lse, %score, %above, %whole : tensor<6xi32>, tensor<6x8xf32>, tensor<f32>, tensor<f32>, tensor<6x8xf32>, tensor<8xf32>, tensor<6xf32>, tensor<f32>, tensor<6x8xi1>, tensor<6xi32>
}
