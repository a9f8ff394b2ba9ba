// The kind: the other reductions.
// input: 2 0 -1 0 1 3
// input: 0 -100
// result 0: 0.503179353 0
// gradient 0: -0.0228719322 0.0475285327 -0.0246566005 0 0 0
func.func @f(%z: tensor<2x3xf32>, %t: tensor<2xi32>) -> tensor<2xf32> {
  %l, %lse = tt.cross_entropy none %z, %t {label_smoothing = 0.2 : f64} : (tensor<2x3xf32>, tensor<2xi32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %l : tensor<2xf32>
}
