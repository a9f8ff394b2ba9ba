// RUN: tt-opt %s --canonicalize | FileCheck %s

// Over no dimension every element is a slice.
// CHECK-LABEL: func.func @nothing
// CHECK-SAME:    (%[[X:.+]]: tensor<4xf32>)
// CHECK-NEXT:    return %[[X]]
func.func @nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tt.logsumexp %x dims = [] : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
