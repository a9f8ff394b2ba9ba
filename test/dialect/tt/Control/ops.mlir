// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @control
func.func @control(%x: tensor<4xf32>, %d: tensor<8xf32>, %i: tensor<4xi32>) {
  // CHECK: tt.stop_gradient %{{.+}} : tensor<4xf32>
  %0 = tt.stop_gradient %x : tensor<4xf32>
  // CHECK: tt.stop_gradient %{{.+}} : tensor<4xi32>
  %1 = tt.stop_gradient %i : tensor<4xi32>
  // CHECK: tt.remat_barrier %{{.+}} after %{{.+}} : tensor<4xf32>, tensor<8xf32>
  %2 = tt.remat_barrier %x after %d : tensor<4xf32>, tensor<8xf32>
  return
}
