// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @plain
func.func @plain(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>) {
  // CHECK: tt.attention %{{.+}}, %{{.+}}, %{{.+}} scale = 2.500000e-01 : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x4x8x16xf32>, tensor<1x4x8xf32>)
  %o, %lse = tt.attention %q, %k, %k scale = 2.500000e-01 : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x4x8x16xf32>, tensor<1x4x8xf32>)
  // CHECK: tt.attention %{{.+}}, %{{.+}}, %{{.+}} causal scale = 2.500000e-01 {block_k = 4 : i64, block_q = 2 : i64} : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x4x8x16xf32>, tensor<1x4x8xf32>)
  %o2, %lse2 = tt.attention %q, %k, %k causal scale = 2.500000e-01 {block_k = 4 : i64, block_q = 2 : i64} : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x4x8x16xf32>, tensor<1x4x8xf32>)
  return
}

// Queries that are fewer than the keys; statistics of bf16 are f32.
// CHECK-LABEL: func.func @decode
func.func @decode(%q: tensor<2x4x1x16xbf16>, %k: tensor<2x1x9x16xbf16>) {
  // CHECK: tt.attention %{{.+}}, %{{.+}}, %{{.+}} causal scale = 2.500000e-01 : (tensor<2x4x1x16xbf16>, tensor<2x1x9x16xbf16>, tensor<2x1x9x16xbf16>) -> (tensor<2x4x1x16xbf16>, tensor<2x4x1xf32>)
  %o, %lse = tt.attention %q, %k, %k causal scale = 2.500000e-01 : (tensor<2x4x1x16xbf16>, tensor<2x1x9x16xbf16>, tensor<2x1x9x16xbf16>) -> (tensor<2x4x1x16xbf16>, tensor<2x4x1xf32>)
  return
}

// CHECK-LABEL: func.func @score_options
func.func @score_options(%q: tensor<2x4x8x16xf32>, %ids: tensor<2x8xi32>,
      %slopes: tensor<4xf32>, %bias: tensor<1x4x8x8xf32>, %key: tensor<2xi32>) {
  // CHECK: tt.attention %{{.+}}, %{{.+}}, %{{.+}} segments(%{{.+}}, %{{.+}}) scale = 1.000000e+00 : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x8xi32>, tensor<2x8xi32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  %0, %1 = tt.attention %q, %q, %q segments(%ids, %ids) scale = 1.000000e+00 : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x8xi32>, tensor<2x8xi32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  // CHECK: tt.attention %{{.+}}, %{{.+}}, %{{.+}} slopes(%{{.+}}) bias(%{{.+}}) sinks(%{{.+}}) scale = 1.000000e+00 : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<4xf32>, tensor<1x4x8x8xf32>, tensor<4xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  %2, %3 = tt.attention %q, %q, %q slopes(%slopes) bias(%bias) sinks(%slopes) scale = 1.000000e+00 : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<4xf32>, tensor<1x4x8x8xf32>, tensor<4xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  // CHECK: tt.attention %{{.+}}, %{{.+}}, %{{.+}} key(%{{.+}}) causal scale = 1.000000e+00 {dropout_p = 1.000000e-01 : f64, site = 7 : i64} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2xi32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  %4, %5 = tt.attention %q, %q, %q key(%key) causal scale = 1.000000e+00 {dropout_p = 1.000000e-01 : f64, site = 7 : i64} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2xi32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  // CHECK: tt.attention %{{.+}}, %{{.+}}, %{{.+}} scale = 1.000000e+00 {prefix = 3 : i64, softcap = 3.000000e+01 : f64, window_left = 4 : i64, window_right = 0 : i64} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  %6, %7 = tt.attention %q, %q, %q scale = 1.000000e+00 {prefix = 3 : i64, softcap = 3.000000e+01 : f64, window_left = 4 : i64, window_right = 0 : i64} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// CHECK-LABEL: func.func @backward_options
func.func @backward_options(%q: tensor<2x4x8x16xf32>, %lse: tensor<2x4x8xf32>, %bias: tensor<1x4x8x8xf32>) {
  // CHECK: tt.attention_bwd %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} d_lse(%{{.+}}) bias(%{{.+}}) causal with_d_bias scale = 1.000000e+00 {prefix = 3 : i64} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<1x4x8x8xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<1x4x8x8xf32>)
  %0, %1, %2, %3 = tt.attention_bwd %q, %q, %q, %q, %lse, %q d_lse(%lse) bias(%bias) causal with_d_bias scale = 1.000000e+00 {prefix = 3 : i64} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<1x4x8x8xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<1x4x8x8xf32>)
  return
}

// CHECK-LABEL: func.func @backward
func.func @backward(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %lse: tensor<1x4x8xf32>) {
  // CHECK: tt.attention_bwd %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} causal scale = 2.500000e-01 : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8xf32>, tensor<1x4x8x16xf32>) -> (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>)
  %dq, %dk, %dv = tt.attention_bwd %q, %k, %k, %q, %lse, %q causal scale = 2.500000e-01 : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8xf32>, tensor<1x4x8x16xf32>) -> (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>)
  return
}
