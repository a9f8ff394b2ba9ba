// The gradient is 0, and eps, which is 0 in f16, stands under no f16 number: moments are f32.
// absolute-tolerance: 0
// tolerance: 0
// not on compiled: the CPU path is f32
// not on layered: the CPU path is f32
// not on decomposed: the CPU path is f32
// input: 1 -2 0.5
// input: full(0)
// input: full(0)
// input: full(0)
// input: 1e-3
// input: 1
// input: 1
// input: 0
// result 0: 1 -2 0.5
func.func @f(%p: tensor<3xf16>, %g: tensor<3xf16>, %m: tensor<3xf32>, %v: tensor<3xf32>, %lr: tensor<f32>, %t: tensor<i64>, %c: tensor<f32>, %k: tensor<i32>) -> tensor<3xf16> {
  %p1, %m1, %v1 = tt.adamw %p, %g, %m, %v, %lr, %t, %c, %k beta1 = 0.9 beta2 = 0.999 eps = 1.0e-8 weight_decay = 0.0 : (tensor<3xf16>, tensor<3xf16>, tensor<3xf32>, tensor<3xf32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i32>) -> (tensor<3xf16>, tensor<3xf32>, tensor<3xf32>)
  return %p1 : tensor<3xf16>
}
