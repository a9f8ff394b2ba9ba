// 16 layers: the values, with each checkpoint policy. Counts and bytes are in
// test/Unit/Remat/CheckpointTest.cpp.
// input: fill(37,11)
// result 0: -0.253557172
// gradient 0: 0.0379955865 0.462240936 0.313862905 0.0293234135 0.119982908 0.965834207 0.0808041011 0.0400910754 0.498460078 0.29039011 0.0278914958 0.128562551 0.940567733 0.0758867425 0.0423301418 0.536769732
func.func private @layer(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %y = tt.tanh %x : tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
func.func @f(%0: tensor<4x4xf32>) -> tensor<f32> {
  %1 = call @layer(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = call @layer(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = call @layer(%2) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = call @layer(%3) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = call @layer(%4) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %6 = call @layer(%5) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %7 = call @layer(%6) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %8 = call @layer(%7) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %9 = call @layer(%8) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %10 = call @layer(%9) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %11 = call @layer(%10) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %12 = call @layer(%11) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %13 = call @layer(%12) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %14 = call @layer(%13) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %15 = call @layer(%14) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %16 = call @layer(%15) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %l = tt.sum %16 dims = [0, 1] : (tensor<4x4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
