// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @rows
func.func @rows(%x: tensor<9x2x4xf32>, %i: tensor<3x5xi32>, %u: tensor<3x5x4xf32>) {
  // CHECK: tt.gather_rows %{{.+}}, %{{.+}} : (tensor<9x2x4xf32>, tensor<3x5xi32>) -> tensor<3x5x2x4xf32>
  %0 = tt.gather_rows %x, %i : (tensor<9x2x4xf32>, tensor<3x5xi32>) -> tensor<3x5x2x4xf32>
  // CHECK: tt.scatter_add_rows %{{.+}}, %{{.+}} rows = 9 : (tensor<3x5xi32>, tensor<3x5x4xf32>) -> tensor<9x4xf32>
  %1 = tt.scatter_add_rows %i, %u rows = 9 : (tensor<3x5xi32>, tensor<3x5x4xf32>) -> tensor<9x4xf32>
  return
}

// CHECK-LABEL: func.func @along
func.func @along(%x: tensor<4x8xf32>, %i: tensor<4x3xi32>, %u: tensor<4x3xf32>) {
  // CHECK: tt.gather_along %{{.+}}, %{{.+}} dim = 1 : (tensor<4x8xf32>, tensor<4x3xi32>) -> tensor<4x3xf32>
  %0 = tt.gather_along %x, %i dim = 1 : (tensor<4x8xf32>, tensor<4x3xi32>) -> tensor<4x3xf32>
  // CHECK: tt.scatter_along %{{.+}}, %{{.+}} dim = 1 size = 8 : (tensor<4x3xf32>, tensor<4x3xi32>) -> tensor<4x8xf32>
  %1 = tt.scatter_along %u, %i dim = 1 size = 8 : (tensor<4x3xf32>, tensor<4x3xi32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @one_hot
func.func @one_hot(%i: tensor<4xi32>) {
  // CHECK: tt.one_hot %{{.+}} : tensor<4xi32> -> tensor<4x8xf32>
  %0 = tt.one_hot %i : tensor<4xi32> -> tensor<4x8xf32>
  // CHECK: tt.one_hot %{{.+}} : tensor<4xi32> -> tensor<4x8xi1>
  %1 = tt.one_hot %i : tensor<4xi32> -> tensor<4x8xi1>
  return
}
