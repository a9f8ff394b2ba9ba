// RUN: tt-opt %s | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @rope
func.func @rope(%x: tensor<1x2x8x16xf32>, %p: tensor<8xi32>) {
  // CHECK: tt.rope half_split %{{.+}} theta = 1.000000e+04 : (tensor<1x2x8x16xf32>) -> tensor<1x2x8x16xf32>
  %0 = tt.rope half_split %x theta = 1.000000e+04 : (tensor<1x2x8x16xf32>) -> tensor<1x2x8x16xf32>
  // CHECK: tt.rope interleaved %{{.+}} positions(%{{.+}}) theta = 1.000000e+04 : (tensor<1x2x8x16xf32>, tensor<8xi32>) -> tensor<1x2x8x16xf32>
  %1 = tt.rope interleaved %x positions(%p) theta = 1.000000e+04 : (tensor<1x2x8x16xf32>, tensor<8xi32>) -> tensor<1x2x8x16xf32>
  // CHECK: tt.rope half_split inverse %{{.+}} theta = 1.000000e+04 : (tensor<1x2x8x16xf32>) -> tensor<1x2x8x16xf32>
  %2 = tt.rope half_split inverse %x theta = 1.000000e+04 : (tensor<1x2x8x16xf32>) -> tensor<1x2x8x16xf32>
  return
}
