// The kind: one counted token and three, as sums over the number of all counted tokens.
// input: fill(37,11)
// input: fill(53,29)
// input: 1 -100 -100
// input: 0 2 1
// result 0: 1.55369381
// gradient 0: 0.04194148 -0.175231228 0.133289748 0 0 0 0 0 0
// gradient 1: -0.187298341 0.143525528 0.0437728128 0.0627016594 0.143525528 -0.206227187 0.124806844 -0.211936063 0.0871292191
func.func @f(%a: tensor<3x3xf32>, %b: tensor<3x3xf32>, %t: tensor<3xi32>, %u: tensor<3xi32>) -> tensor<f32> {
  %share = tt.constant dense<0.25> : tensor<f32>
  %l, %lse = tt.cross_entropy sum %a, %t : (tensor<3x3xf32>, tensor<3xi32>) -> (tensor<f32>, tensor<3xf32>)
  %m, %lse2 = tt.cross_entropy sum %b, %u : (tensor<3x3xf32>, tensor<3xi32>) -> (tensor<f32>, tensor<3xf32>)
  %s = tt.add %l, %m : tensor<f32>
  %y = tt.mul %share, %s : tensor<f32>
  return %y : tensor<f32>
}
