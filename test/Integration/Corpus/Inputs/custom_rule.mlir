// A rule of its own (not the true one) inside a layer that is called twice.
func.func private @forward(%x: tensor<4x6xf32>, %w: tensor<6x6xf32>) -> tensor<4x6xf32> {
  %y = tt.matmul %x, %w : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %z = tt.sign %y : tensor<4x6xf32>
  return %z : tensor<4x6xf32>
}
func.func private @reverse(%x: tensor<4x6xf32>, %w: tensor<6x6xf32>, %z: tensor<4x6xf32>, %d: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<6x6xf32>) {
  %e = tt.mul %d, %z : tensor<4x6xf32>
  %dx = tt.matmul %e, %w transpose_rhs : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %dw = tt.matmul %x, %d transpose_lhs : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<6x6xf32>
  return %dx, %dw : tensor<4x6xf32>, tensor<6x6xf32>
}
func.func private @layer(%x: tensor<4x6xf32>, %w: tensor<6x6xf32>) -> tensor<4x6xf32> {
  %y = tt.custom_vjp @forward(%x, %w) vjp = @reverse surrogate : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %t = tt.tanh %x : tensor<4x6xf32>
  %z = tt.mul %y, %t : tensor<4x6xf32>
  %r = tt.add %x, %z : tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
func.func @loss(%a: tensor<6x6xf32> {tt.param = "a"}, %b: tensor<6x6xf32> {tt.param = "b"}, %x: tensor<4x6xf32> {tt.input = "x"}) -> (tensor<f32> {tt.output = "loss"}) {
  %0 = call @layer(%x, %a) : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %1 = call @layer(%0, %b) : (tensor<4x6xf32>, tensor<6x6xf32>) -> tensor<4x6xf32>
  %2 = tt.square %1 : tensor<4x6xf32>
  %l = tt.mean %2 dims = [0, 1] : (tensor<4x6xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
