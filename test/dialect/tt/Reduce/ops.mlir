// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<2x4x8xf32>) {
  // CHECK: tt.sum %{{.+}} dims = [0] : (tensor<2x4x8xf32>) -> tensor<4x8xf32>
  %0 = tt.sum %x dims = [0] : (tensor<2x4x8xf32>) -> tensor<4x8xf32>
  // CHECK: tt.sum %{{.+}} dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<f32>
  %1 = tt.sum %x dims = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<f32>
  // CHECK: tt.mean %{{.+}} dims = [1, 2] : (tensor<2x4x8xf32>) -> tensor<2xf32>
  %2 = tt.mean %x dims = [1, 2] : (tensor<2x4x8xf32>) -> tensor<2xf32>
  // CHECK: tt.max %{{.+}} dim = 1 : (tensor<2x4x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xi32>)
  %3, %4 = tt.max %x dim = 1 : (tensor<2x4x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xi32>)
  return
}

// CHECK-LABEL: func.func @softmax
func.func @softmax(%x: tensor<4x8xf32>, %d: tensor<4x8xf32>) {
  // CHECK: tt.softmax %{{.+}} : tensor<4x8xf32>
  %0 = tt.softmax %x : tensor<4x8xf32>
  // CHECK: tt.softmax_bwd %{{.+}}, %{{.+}} : tensor<4x8xf32>
  %1 = tt.softmax_bwd %0, %d : tensor<4x8xf32>
  return
}
