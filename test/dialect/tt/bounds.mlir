// RUN: tt-opt %s | FileCheck %s

// The largest dimension and the largest tensor.
// CHECK-LABEL: func.func @largest
// CHECK:         tt.neg %{{.+}} : tensor<1099511627776x16xf64>
// CHECK:         tt.neg %{{.+}} : tensor<8388608x4194304xf32>
func.func @largest(%x: tensor<1099511627776x16xf64>, %y: tensor<8388608x4194304xf32>) {
  %0 = tt.neg %x : tensor<1099511627776x16xf64>
  %1 = tt.neg %y : tensor<8388608x4194304xf32>
  return
}
