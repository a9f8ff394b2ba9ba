// Gradients 0.1, inf, 0.2: what the norm says of the second skips it, and t, which is the
// caller's, stays at 2.
// absolute-tolerance: 1e-8
// input: 1
// input: 0
// input: 0
// input: 0.1
// input: inf
// input: 0.2
// input: 0.1
// input: 1
// input: 2
// result 0: 0.803481814
// result 1: 0.029
// result 2: 4.999e-05
// result 3: 1
func.func @f(%p: tensor<1xf32>, %m: tensor<1xf32>, %v: tensor<1xf32>, %g0: tensor<1xf32>, %g1: tensor<1xf32>, %g2: tensor<1xf32>, %lr: tensor<f32>, %t1: tensor<i64>, %t2: tensor<i64>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<i32>) {
  %s0 = tt.sum_squares %g0 : tensor<1xf32> -> tensor<f64>
  %n0, %c0, %k0 = tt.global_norm %s0 max_norm = 0.0 : (tensor<f64>) -> (tensor<f32>, tensor<f32>, tensor<i32>)
  %p0, %m0, %v0 = tt.adamw %p, %g0, %m, %v, %lr, %t1, %c0, %k0 beta1 = 0.9 beta2 = 0.999 eps = 1.0e-8 weight_decay = 0.0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  %s1 = tt.sum_squares %g1 : tensor<1xf32> -> tensor<f64>
  %n1, %c1, %k1 = tt.global_norm %s1 max_norm = 0.0 : (tensor<f64>) -> (tensor<f32>, tensor<f32>, tensor<i32>)
  %p1, %m1, %v1 = tt.adamw %p0, %g1, %m0, %v0, %lr, %t2, %c1, %k1 beta1 = 0.9 beta2 = 0.999 eps = 1.0e-8 weight_decay = 0.0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  %s2 = tt.sum_squares %g2 : tensor<1xf32> -> tensor<f64>
  %n2, %c2, %k2 = tt.global_norm %s2 max_norm = 0.0 : (tensor<f64>) -> (tensor<f32>, tensor<f32>, tensor<i32>)
  %p2, %m2, %v2 = tt.adamw %p1, %g2, %m1, %v1, %lr, %t2, %c2, %k2 beta1 = 0.9 beta2 = 0.999 eps = 1.0e-8 weight_decay = 0.0 : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return %p2, %m2, %v2, %k1 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<i32>
}
