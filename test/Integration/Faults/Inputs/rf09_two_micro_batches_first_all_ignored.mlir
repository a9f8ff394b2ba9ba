// The first part counts nothing: the gradient is that of the second alone.
// input: fill(29,7)
// input: fill(37,11)
// input: fill(53,29)
// input: full(-100)
// input: 1 4 -100
// result 0: 0
// result 1: 1.35884137
// gradient 0: 0.0286055688 -0.396987389 0.0494259907 0.17798983 0.140966
// gradient 1: full(0)
// gradient 2: 0.0143027844 -0.448493695 0.0247129954 0.088994915 0.320483 0.0143027844 0.0515063053 0.0247129954 0.088994915 -0.179517 0 0 0 0 0
func.func private @part(%b: tensor<5xf32>, %x: tensor<3x5xf32>, %t: tensor<3xi32>) -> tensor<f32> {
  %w = tt.broadcast %b dims = [1] : tensor<5xf32> -> tensor<3x5xf32>
  %z = tt.add %x, %w : tensor<3x5xf32>
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<3x5xf32>, tensor<3xi32>) -> (tensor<f32>, tensor<3xf32>)
  return %l : tensor<f32>
}
func.func @f(%b: tensor<5xf32>, %x: tensor<3x5xf32>, %y: tensor<3x5xf32>, %t: tensor<3xi32>, %u: tensor<3xi32>) -> (tensor<f32>, tensor<f32>) {
  %0 = call @part(%b, %x, %t) : (tensor<5xf32>, tensor<3x5xf32>, tensor<3xi32>) -> tensor<f32>
  %1 = call @part(%b, %y, %u) : (tensor<5xf32>, tensor<3x5xf32>, tensor<3xi32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
