// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @statistics
func.func @statistics(%x: tensor<4x8xf32>, %y: tensor<2x3x5xbf16>) {
  // CHECK: tt.logsumexp %{{.+}} dims = [1] : (tensor<4x8xf32>) -> tensor<4xf32>
  %0 = tt.logsumexp %x dims = [1] : (tensor<4x8xf32>) -> tensor<4xf32>
  // CHECK: tt.logsumexp %{{.+}} dims = [0, 2] : (tensor<2x3x5xbf16>) -> tensor<3xbf16>
  %1 = tt.logsumexp %y dims = [0, 2] : (tensor<2x3x5xbf16>) -> tensor<3xbf16>
  // CHECK: tt.log_softmax %{{.+}} : tensor<4x8xf32>
  %2 = tt.log_softmax %x : tensor<4x8xf32>
  // CHECK: tt.variance %{{.+}} dims = [1] : (tensor<4x8xf32>) -> tensor<4xf32>
  %3 = tt.variance %x dims = [1] : (tensor<4x8xf32>) -> tensor<4xf32>
  // CHECK: tt.variance %{{.+}} dims = [0] {correction = 1 : i64} : (tensor<4x8xf32>) -> tensor<8xf32>
  %4 = tt.variance %x dims = [0] {correction = 1 : i64} : (tensor<4x8xf32>) -> tensor<8xf32>
  return
}
