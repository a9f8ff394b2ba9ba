// The same with label smoothing and class weights.
// input: 4000000 4000001 4000002 4000003 -8000000 -8000000 -8000000 -8000000 2000000 2000000 2000000.25 2000000
// input: 1 3 0
// input: 1 2 0.5 1.5
// result 0: 1.76019233
// gradient 0: 0.0020685369 -0.34195178 0.091829603 0.24805364 0.0694444444 0.0583333333 0.075 -0.202777778 -0.134422981 0.0322436856 0.0643800544 0.0377992411
// gradient 2: -0.0627131131 0.101339618 0.0447930794 -0.108241775
func.func @f(%z: tensor<3x4xf32>, %t: tensor<3xi32>, %w: tensor<4xf32>) -> tensor<f32> {
  %l, %lse = tt.cross_entropy mean %z, %t weights(%w) {label_smoothing = 0.2 : f64} : (tensor<3x4xf32>, tensor<3xi32>, tensor<4xf32>) -> (tensor<f32>, tensor<3xf32>)
  return %l : tensor<f32>
}
