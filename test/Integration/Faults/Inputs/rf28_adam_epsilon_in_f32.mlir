// The kind, in f32: a gradient of exactly 0 with fresh moments changes nothing, and one
// whose square is 0 in f32 leaves eps alone below the line.
// input: 1 -2 0.5 1
// input: 0 1e-4 1e-30 -1e-30
// input: full(0)
// input: full(0)
// input: 1e-3
// input: 1
// input: 1
// input: 0
// result 0: 1 -2.0009999 0.5 1
func.func @f(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %lr: tensor<f32>, %t: tensor<i64>, %c: tensor<f32>, %k: tensor<i32>) -> tensor<4xf32> {
  %p1, %m1, %v1 = tt.adamw %p, %g, %m, %v, %lr, %t, %c, %k beta1 = 0.9 beta2 = 0.999 eps = 1.0e-8 weight_decay = 0.0 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %p1 : tensor<4xf32>
}
