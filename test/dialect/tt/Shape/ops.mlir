// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK: tt.constant dense<1.000000e+00> : tensor<4xf32>
  %0 = tt.constant dense<1.000000e+00> : tensor<4xf32>
  // CHECK: tt.constant dense<[1, 2]> : tensor<2xi32>
  %1 = tt.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK: tt.constant dense<true> : tensor<3xi1>
  %2 = tt.constant dense<true> : tensor<3xi1>
  // CHECK: tt.iota dim = 0 : tensor<8xi32>
  %3 = tt.iota dim = 0 : tensor<8xi32>
  // CHECK: tt.iota dim = 1 : tensor<2x8xi64>
  %4 = tt.iota dim = 1 : tensor<2x8xi64>
  return
}

// CHECK-LABEL: func.func @views
func.func @views(%x: tensor<4x8xf32>, %b: tensor<8xf32>, %s: tensor<f32>) {
  // CHECK: tt.broadcast %{{.+}} dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
  %0 = tt.broadcast %b dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
  // CHECK: tt.broadcast %{{.+}} dims = [] : tensor<f32> -> tensor<4x8xf32>
  %1 = tt.broadcast %s dims = [] : tensor<f32> -> tensor<4x8xf32>
  // CHECK: tt.reshape %{{.+}} : tensor<4x8xf32> -> tensor<32xf32>
  %2 = tt.reshape %x : tensor<4x8xf32> -> tensor<32xf32>
  // CHECK: tt.transpose %{{.+}} permutation = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %3 = tt.transpose %x permutation = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  // CHECK: tt.slice %{{.+}} dim = 1 start = 2 size = 3 : (tensor<4x8xf32>) -> tensor<4x3xf32>
  %4 = tt.slice %x dim = 1 start = 2 size = 3 : (tensor<4x8xf32>) -> tensor<4x3xf32>
  // CHECK: tt.slice %{{.+}} dim = 0 start = 3 size = 1 : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %5 = tt.slice %x dim = 0 start = 3 size = 1 : (tensor<4x8xf32>) -> tensor<1x8xf32>
  return
}

// CHECK-LABEL: func.func @joins
func.func @joins(%x: tensor<4x8xf32>, %y: tensor<1x8xf32>, %i: tensor<i32>) {
  // CHECK: tt.pad %{{.+}} dim = 1 low = 8 high = 0 : (tensor<4x8xf32>) -> tensor<4x16xf32>
  %0 = tt.pad %x dim = 1 low = 8 high = 0 : (tensor<4x8xf32>) -> tensor<4x16xf32>
  // CHECK: tt.concat %{{.+}}, %{{.+}} dim = 0 : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<5x8xf32>
  %1 = tt.concat %x, %y dim = 0 : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<5x8xf32>
  // CHECK: tt.take %{{.+}}, %{{.+}} dim = 0 : (tensor<4x8xf32>, tensor<i32>) -> tensor<8xf32>
  %2 = tt.take %x, %i dim = 0 : (tensor<4x8xf32>, tensor<i32>) -> tensor<8xf32>
  // CHECK: tt.take %{{.+}}, %{{.+}} dim = 1 : (tensor<4x8xf32>, tensor<i32>) -> tensor<4xf32>
  %3 = tt.take %x, %i dim = 1 : (tensor<4x8xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// Shape ops move integers too.
// CHECK-LABEL: func.func @integers
func.func @integers(%x: tensor<4x8xi32>, %l: tensor<i64>) {
  // CHECK: tt.reshape %{{.+}} : tensor<4x8xi32> -> tensor<8x4xi32>
  %0 = tt.reshape %x : tensor<4x8xi32> -> tensor<8x4xi32>
  // CHECK: tt.concat %{{.+}}, %{{.+}} dim = 1 : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x16xi32>
  %1 = tt.concat %x, %x dim = 1 : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x16xi32>
  // CHECK: tt.take %{{.+}}, %{{.+}} dim = 0 : (tensor<4x8xi32>, tensor<i64>) -> tensor<8xi32>
  %2 = tt.take %x, %l dim = 0 : (tensor<4x8xi32>, tensor<i64>) -> tensor<8xi32>
  return
}
