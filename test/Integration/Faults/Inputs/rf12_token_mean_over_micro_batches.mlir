// One token of 4 and three of 1, 1, 2: the mean over all tokens, 2, however they are
// split; a part without counted tokens adds nothing.
// input: 1
// input: 4 0 0 0 0 0
// input: 1 1 2 0 0 0
// input: full(0)
// input: 1
// input: 3
// result 0: 2
// gradient 0: 2
func.func private @part(%w: tensor<f32>, %c: tensor<6xf32>, %n: tensor<f32>) -> tensor<f32> {
  %wide = tt.broadcast %w dims = [] : tensor<f32> -> tensor<6xf32>
  %l = tt.mul %wide, %c : tensor<6xf32>
  %s = tt.sum %l dims = [0] : (tensor<6xf32>) -> tensor<f32>
  %y = tt.div %s, %n : tensor<f32>
  return %y : tensor<f32>
}
func.func @f(%w: tensor<f32>, %a: tensor<6xf32>, %b: tensor<6xf32>, %c: tensor<6xf32>, %na: tensor<f32>, %nb: tensor<f32>) -> tensor<f32> {
  %n = tt.add %na, %nb : tensor<f32>
  %0 = call @part(%w, %a, %n) : (tensor<f32>, tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %1 = call @part(%w, %b, %n) : (tensor<f32>, tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %2 = call @part(%w, %c, %n) : (tensor<f32>, tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %3 = tt.add %0, %1 : tensor<f32>
  %4 = tt.add %3, %2 : tensor<f32>
  return %4 : tensor<f32>
}
