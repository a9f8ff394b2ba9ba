// RUN: tt-opt %s --tt-autodiff="function=f wrt=all" --split-input-file | FileCheck %s

// d_bias is a result only where a bias is active, d_lse an operand only where lse is
// read; the sinks' cotangent is a sum outside of the fused adjoint.
// CHECK-LABEL: func.func private @f_bwd
// CHECK:         tt.sum {{.*}} dims = [0, 2]
// CHECK:         tt.attention_bwd {{.*}} d_lse({{.*}}) bias({{.*}}) causal with_d_bias scale
// CHECK-SAME:    {prefix = 2 : i64}
func.func @f(%q: tensor<1x2x8x4xf32>, %bias: tensor<1x2x8x8xf32>, %sinks: tensor<2xf32>) -> (tensor<1x2x8x4xf32>, tensor<1x2x8xf32>) {
  %o, %l = tt.attention %q, %q, %q bias(%bias) sinks(%sinks) causal scale = 1.0 {prefix = 2 : i64} : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x8xf32>, tensor<2xf32>) -> (tensor<1x2x8x4xf32>, tensor<1x2x8xf32>)
  return %o, %l : tensor<1x2x8x4xf32>, tensor<1x2x8xf32>
}

// -----

// A bias that is no input of the derivative has no gradient; the mask's operands and
// the key are residuals.
// CHECK-LABEL: func.func private @f_bwd
// CHECK-NOT:     with_d_bias
// CHECK:         tt.attention_bwd {{.*}} segments({{.*}}) bias({{.*}}) key({{.*}}) scale = 1.000000e+00 {dropout_p = 1.000000e-01 : f64, site = 0 : i64}
func.func @f(%q: tensor<1x2x8x4xf32>, %ids: tensor<1x8xi32>, %key: tensor<2xi32>) -> tensor<1x2x8x4xf32> {
  %bias = tt.constant dense<0.5> : tensor<1x1x8x8xf32>
  %o, %l = tt.attention %q, %q, %q segments(%ids, %ids) bias(%bias) key(%key) scale = 1.0 {dropout_p = 0.1 : f64, site = 0 : i64} : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x8xi32>, tensor<1x8xi32>, tensor<1x1x8x8xf32>, tensor<2xi32>) -> (tensor<1x2x8x4xf32>, tensor<1x2x8xf32>)
  return %o : tensor<1x2x8x4xf32>
}
