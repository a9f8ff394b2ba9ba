// Indices below 0, past the end, and equal to a good one in their low 32 bits: they read
// zero, add nothing, and no memory outside a tensor is touched.
func.func @loss(%t: tensor<5x3xf32> {tt.param = "t"}, %g: tensor<5x2x3xf32> {tt.param = "g"},
                %b: tensor<4x5xf32> {tt.param = "b"}, %u: tensor<6x3xf32> {tt.param = "u"},
                %h: tensor<6x5xf32> {tt.param = "h"}) -> (tensor<f32> {tt.output = "loss"}) {
  %i = tt.constant dense<[-1, 2, 5, 2147483647, -2147483648, 4]> : tensor<6xi32>
  %k = tt.constant dense<[-1, 3, 5, 9223372036854775807, -9223372036854775808, 4294967297]> : tensor<6xi64>
  %j = tt.constant dense<[[-1, 0, 5], [4, 5, 2147483647], [-2147483648, 3, 1], [100, -5, 2]]> : tensor<4x3xi32>
  %p = tt.constant dense<5> : tensor<i32>
  %q = tt.constant dense<4294967296> : tensor<i64>
  %e0 = tt.embedding %t, %i : (tensor<5x3xf32>, tensor<6xi32>) -> tensor<6x3xf32>
  %e1 = tt.embedding %t, %k : (tensor<5x3xf32>, tensor<6xi64>) -> tensor<6x3xf32>
  %g0 = tt.gather_rows %g, %i : (tensor<5x2x3xf32>, tensor<6xi32>) -> tensor<6x2x3xf32>
  %g1 = tt.gather_rows %g, %k : (tensor<5x2x3xf32>, tensor<6xi64>) -> tensor<6x2x3xf32>
  %a = tt.gather_along %b, %j dim = 1 : (tensor<4x5xf32>, tensor<4x3xi32>) -> tensor<4x3xf32>
  %s0 = tt.scatter_add_rows %i, %u rows = 5 : (tensor<6xi32>, tensor<6x3xf32>) -> tensor<5x3xf32>
  %s1 = tt.scatter_add_rows %k, %u rows = 5 : (tensor<6xi64>, tensor<6x3xf32>) -> tensor<5x3xf32>
  %c = tt.exp %a : tensor<4x3xf32>
  %s2 = tt.scatter_along %c, %j dim = 1 size = 5 : (tensor<4x3xf32>, tensor<4x3xi32>) -> tensor<4x5xf32>
  %o = tt.one_hot %i : tensor<6xi32> -> tensor<6x5xf32>
  %oh = tt.mul %o, %h : tensor<6x5xf32>
  %k0 = tt.take %t, %p dim = 0 : (tensor<5x3xf32>, tensor<i32>) -> tensor<3xf32>
  %k1 = tt.take %b, %q dim = 1 : (tensor<4x5xf32>, tensor<i64>) -> tensor<4xf32>
  %l0, %lse = tt.cross_entropy mean %h, %i : (tensor<6x5xf32>, tensor<6xi32>) -> (tensor<f32>, tensor<6xf32>)
  %e = tt.mul %e0, %e1 : tensor<6x3xf32>
  %ee = tt.add %e, %e0 : tensor<6x3xf32>
  %f = tt.add %ee, %e1 : tensor<6x3xf32>
  %gg = tt.add %g0, %g1 : tensor<6x2x3xf32>
  %g2 = tt.square %gg : tensor<6x2x3xf32>
  %ss = tt.mul %s0, %s1 : tensor<5x3xf32>
  %st = tt.add %ss, %s1 : tensor<5x3xf32>
  %k2 = tt.exp %k0 : tensor<3xf32>
  %k3 = tt.exp %k1 : tensor<4xf32>
  %s3 = tt.square %s2 : tensor<4x5xf32>
  %l1 = tt.sum %f dims = [0, 1] : (tensor<6x3xf32>) -> tensor<f32>
  %l2 = tt.sum %g2 dims = [0, 1, 2] : (tensor<6x2x3xf32>) -> tensor<f32>
  %l3 = tt.sum %st dims = [0, 1] : (tensor<5x3xf32>) -> tensor<f32>
  %l4 = tt.sum %s3 dims = [0, 1] : (tensor<4x5xf32>) -> tensor<f32>
  %l5 = tt.sum %oh dims = [0, 1] : (tensor<6x5xf32>) -> tensor<f32>
  %l6 = tt.sum %k2 dims = [0] : (tensor<3xf32>) -> tensor<f32>
  %l7 = tt.sum %k3 dims = [0] : (tensor<4xf32>) -> tensor<f32>
  %m1 = tt.add %l0, %l1 : tensor<f32>
  %m2 = tt.add %l2, %l3 : tensor<f32>
  %m3 = tt.add %l4, %l5 : tensor<f32>
  %m4 = tt.add %l6, %l7 : tensor<f32>
  %n1 = tt.add %m1, %m2 : tensor<f32>
  %n2 = tt.add %m3, %m4 : tensor<f32>
  %l = tt.add %n1, %n2 : tensor<f32>
  return %l : tensor<f32>
}
