// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @random
func.func @random(%seed: tensor<i64>, %step: tensor<i64>, %x: tensor<2x8xf32>) {
  // CHECK: tt.rng_key %{{.+}}, %{{.+}} : (tensor<i64>, tensor<i64>) -> tensor<2xi32>
  %0 = tt.rng_key %seed, %step : (tensor<i64>, tensor<i64>) -> tensor<2xi32>
  // CHECK: tt.rng_fold %{{.+}} site = 3 : tensor<2xi32>
  %1 = tt.rng_fold %0 site = 3 : tensor<2xi32>
  // CHECK: tt.rng_fold %{{.+}} site = 4294967295 : tensor<2xi32>
  %2 = tt.rng_fold %0 site = 4294967295 : tensor<2xi32>
  // CHECK: tt.dropout %{{.+}}, %{{.+}} p = 1.000000e-01 site = 0 samples = 2 : (tensor<2x8xf32>, tensor<2xi32>) -> tensor<2x8xf32>
  %3 = tt.dropout %x, %1 p = 1.000000e-01 site = 0 samples = 2 : (tensor<2x8xf32>, tensor<2xi32>) -> tensor<2x8xf32>
  return
}

// CHECK-LABEL: func.func @dropout_tile
func.func @dropout_tile(%x: tensor<8x16xf32>, %key: tensor<2xi32>, %b: index, %e: index) {
  // CHECK: tt.dropout_tile %{{.+}}, %{{.+}} sample %{{.+}} first %{{.+}} p = 1.000000e-01 site = 3 row_stride = 40 : tensor<8x16xf32>, tensor<2xi32>
  %0 = tt.dropout_tile %x, %key sample %b first %e p = 1.000000e-01 site = 3 row_stride = 40 : tensor<8x16xf32>, tensor<2xi32>
  return
}

// CHECK-LABEL: func.func @generators
func.func @generators(%k: tensor<2xi32>) {
  // CHECK: tt.random_uniform %{{.+}} site = 0 samples = 2 : tensor<2xi32> -> tensor<2x8xf32>
  %0 = tt.random_uniform %k site = 0 samples = 2 : tensor<2xi32> -> tensor<2x8xf32>
  // CHECK: tt.random_normal %{{.+}} site = 1 samples = 1 : tensor<2xi32> -> tensor<2x8xf32>
  %1 = tt.random_normal %k site = 1 samples = 1 : tensor<2xi32> -> tensor<2x8xf32>
  return
}
