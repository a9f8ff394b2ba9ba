// RUN: tt-opt %s --tt-form-kernels | FileCheck %s
// RUN: tt-opt %s --tt-form-kernels=fuse=false | FileCheck %s --check-prefix=PLAIN

// Every anchor, with the numerics that it fixes. Without fusion every op is a
// kernel.
// CHECK-DAG: tt.kernel @linear_tanh_{{.*}}anchor = "matmul", numerics = {k_chunk = 384 : i64}
// CHECK-DAG: tt.kernel @softmax_{{.*}}anchor = "row", numerics = {lanes = 16 : i64}
// CHECK-DAG: tt.kernel @sum_{{[0-9]+}}(%{{.+}}: tensor<4x8xf32>) -> tensor<8xf32> {{.*}}anchor = "column", numerics = {row_block = 256 : i64}
// CHECK-DAG: tt.kernel @max_{{.*}}anchor = "reduce"
// CHECK-DAG: tt.kernel @rope_{{.*}}anchor = "attention"
// CHECK-DAG: tt.kernel @attention_{{.*}}anchor = "attention"
// CHECK-DAG: tt.kernel @embedding_bwd_{{.*}}anchor = "scatter"
// CHECK-DAG: tt.kernel @sum_squares_{{.*}}anchor = "optimizer"
// CHECK-DAG: tt.kernel @embedding_{{[0-9]+.*}}anchor = "elementwise"
// PLAIN-DAG: tt.kernel @linear_{{[0-9]+}}(
// PLAIN-DAG: tt.kernel @tanh_{{[0-9]+}}(
func.func @anchors(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %q: tensor<1x2x8x16xf32>, %ids: tensor<4xi32>)
    -> (tensor<4x8xf32>, tensor<8xf32>, tensor<2x8xf32>, tensor<1x2x8x16xf32>, tensor<65x8xf32>, tensor<f64>, tensor<4x8xf32>) {
  %h = tt.linear in_out %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %t = tt.tanh %h : tensor<4x8xf32>
  %p = tt.softmax %t : tensor<4x8xf32>
  %s = tt.sum %x dims = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
  %r3 = tt.reshape %q : tensor<1x2x8x16xf32> -> tensor<2x16x8xf32>
  %m, %i = tt.max %r3 dim = 1 : (tensor<2x16x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xi32>)
  %r = tt.rope half_split %q theta = 1.0e4 : (tensor<1x2x8x16xf32>) -> tensor<1x2x8x16xf32>
  %o, %lse = tt.attention %r, %r, %q causal scale = 0.25 : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  %d = tt.embedding_bwd %ids, %x rows = 65 : (tensor<4xi32>, tensor<4x8xf32>) -> tensor<65x8xf32>
  %n = tt.sum_squares %d : tensor<65x8xf32> -> tensor<f64>
  %e = tt.embedding %d, %ids : (tensor<65x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  return %p, %s, %m, %o, %d, %n, %e : tensor<4x8xf32>, tensor<8xf32>, tensor<2x8xf32>, tensor<1x2x8x16xf32>, tensor<65x8xf32>, tensor<f64>, tensor<4x8xf32>
}
