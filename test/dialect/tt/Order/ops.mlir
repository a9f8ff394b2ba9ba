// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @order
func.func @order(%x: tensor<4x8xf32>) {
  // CHECK: tt.min %{{.+}} dim = 1 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi32>)
  %0, %1 = tt.min %x dim = 1 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi32>)
  // CHECK: tt.argmax %{{.+}} dim = 0 : (tensor<4x8xf32>) -> tensor<8xi32>
  %2 = tt.argmax %x dim = 0 : (tensor<4x8xf32>) -> tensor<8xi32>
  // CHECK: tt.argmin %{{.+}} dim = 0 : (tensor<4x8xf32>) -> tensor<8xi32>
  %3 = tt.argmin %x dim = 0 : (tensor<4x8xf32>) -> tensor<8xi32>
  // CHECK: tt.cumsum %{{.+}} dim = 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = tt.cumsum %x dim = 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: tt.cumsum exclusive reverse %{{.+}} dim = 0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = tt.cumsum exclusive reverse %x dim = 0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: tt.sort %{{.+}} dim = 1 : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  %6, %7 = tt.sort %x dim = 1 : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  // CHECK: tt.sort descending %{{.+}} dim = 1 : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  %8, %9 = tt.sort descending %x dim = 1 : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  // CHECK: tt.topk %{{.+}} dim = 1 k = 3 : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
  %10, %11 = tt.topk %x dim = 1 k = 3 : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
  return
}
