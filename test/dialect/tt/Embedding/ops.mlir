// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @embedding
func.func @embedding(%t: tensor<65x8xf32>, %ids: tensor<2x4xi32>, %d: tensor<2x4x8xf32>, %wide: tensor<3xi64>) {
  // CHECK: tt.embedding %{{.+}}, %{{.+}} : (tensor<65x8xf32>, tensor<2x4xi32>) -> tensor<2x4x8xf32>
  %0 = tt.embedding %t, %ids : (tensor<65x8xf32>, tensor<2x4xi32>) -> tensor<2x4x8xf32>
  // CHECK: tt.embedding %{{.+}}, %{{.+}} {padding_index = 0 : i64} : (tensor<65x8xf32>, tensor<2x4xi32>) -> tensor<2x4x8xf32>
  %1 = tt.embedding %t, %ids {padding_index = 0 : i64} : (tensor<65x8xf32>, tensor<2x4xi32>) -> tensor<2x4x8xf32>
  // CHECK: tt.embedding %{{.+}}, %{{.+}} : (tensor<65x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  %2 = tt.embedding %t, %wide : (tensor<65x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
  // CHECK: tt.embedding_bwd %{{.+}}, %{{.+}} rows = 65 : (tensor<2x4xi32>, tensor<2x4x8xf32>) -> tensor<65x8xf32>
  %3 = tt.embedding_bwd %ids, %d rows = 65 : (tensor<2x4xi32>, tensor<2x4x8xf32>) -> tensor<65x8xf32>
  // CHECK: tt.embedding_bwd %{{.+}}, %{{.+}} rows = 65 {padding_index = 0 : i64} : (tensor<2x4xi32>, tensor<2x4x8xf32>) -> tensor<65x8xf32>
  %4 = tt.embedding_bwd %ids, %d rows = 65 {padding_index = 0 : i64} : (tensor<2x4xi32>, tensor<2x4x8xf32>) -> tensor<65x8xf32>
  return
}
