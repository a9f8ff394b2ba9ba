// RUN: tt-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @sum_over_nothing
// CHECK-SAME:    (%[[X:.+]]: tensor<4x8xf32>)
// CHECK-NEXT:    return %[[X]]
func.func @sum_over_nothing(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tt.sum %x dims = [] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
