// RUN: tt-opt %s --tt-tile-attention --split-input-file | FileCheck %s

// What the op said stands in the kernel, for an emitter that replaces the loops.
// CHECK-LABEL: tt.kernel @all
// CHECK-SAME:    numerics = {block_k = 16 : i64, causal, dropout_p = 1.000000e-01 : f64, prefix = 2 : i64, scale = 5.000000e-01 : f64, site = 3 : i64, softcap = 3.000000e+01 : f64, window_left = 5 : i64}
// CHECK-SAME:    tt.roles = {bias = 3 : i64, k = 0 : i64, k_segments = 1 : i64, key = 5 : i64, lse = 7 : i64, output = 6 : i64, q = 0 : i64, q_segments = 1 : i64, sinks = 2 : i64, slopes = 4 : i64, v = 0 : i64}
tt.kernel @all(%q: tensor<1x2x40x4xf32>, %ids: tensor<1x40xi32>, %sinks: tensor<2xf32>,
               %bias: tensor<1x1x40x40xf32>, %slopes: tensor<2xf32>, %key: tensor<2xi32>)
    -> (tensor<1x2x40x4xf32>, tensor<1x2x40xf32>)
    attributes {anchor = "attention", numerics = {}, schedule = {}} {
  // A tile runs if its segments meet.
  // CHECK:       arith.minsi
  // CHECK:       arith.maxsi
  // CHECK:       scf.if
  // CHECK:         tt.matmul
  // CHECK:         tt.tanh
  // CHECK:         tt.compare eq {{.*}}xi32>
  // CHECK:         tt.compare ne {{.*}}xf32>
  // The row sum is taken before dropout.
  // CHECK:         tt.sum
  // CHECK:         tt.dropout_tile {{.*}} p = 1.000000e-01 site = 3 row_stride = 40
  // CHECK:       } else {
  %o, %l = tt.attention %q, %q, %q segments(%ids, %ids) slopes(%slopes) bias(%bias) sinks(%sinks) key(%key)
      causal scale = 0.5 {block_k = 16 : i64, dropout_p = 0.1 : f64, prefix = 2 : i64, site = 3 : i64, softcap = 30.0 : f64, window_left = 5 : i64}
      : (tensor<1x2x40x4xf32>, tensor<1x2x40x4xf32>, tensor<1x2x40x4xf32>, tensor<1x40xi32>, tensor<1x40xi32>,
         tensor<2xf32>, tensor<1x1x40x40xf32>, tensor<2xf32>, tensor<2xi32>)
     -> (tensor<1x2x40x4xf32>, tensor<1x2x40xf32>)
  tt.yield %o, %l : tensor<1x2x40x4xf32>, tensor<1x2x40xf32>
}

// -----

// d_bias is carried whole and gets a tile at a time.
// CHECK-LABEL: func.func @d_bias
// CHECK:         scf.for {{.*}} -> (tensor<1x1x24x4xf32>, tensor<1x1x24x4xf32>, tensor<1x1x24x4xf32>, tensor<1x1x24x24xf32>)
// CHECK:         tensor.insert_slice {{.*}} tensor<8x8xf32> into tensor<1x1x24x24xf32>
func.func @d_bias(%q: tensor<1x1x24x4xf32>, %l: tensor<1x1x24xf32>, %b: tensor<1x1x24x24xf32>) -> tensor<1x1x24x24xf32> {
  %dq, %dk, %dv, %db = tt.attention_bwd %q, %q, %q, %q, %l, %q d_lse(%l) bias(%b) with_d_bias scale = 0.5 {block_k = 8 : i64, block_q = 8 : i64}
      : (tensor<1x1x24x4xf32>, tensor<1x1x24x4xf32>, tensor<1x1x24x4xf32>, tensor<1x1x24x4xf32>, tensor<1x1x24xf32>,
         tensor<1x1x24x4xf32>, tensor<1x1x24xf32>, tensor<1x1x24x24xf32>)
     -> (tensor<1x1x24x4xf32>, tensor<1x1x24x4xf32>, tensor<1x1x24x4xf32>, tensor<1x1x24x24xf32>)
  return %db : tensor<1x1x24x24xf32>
}
