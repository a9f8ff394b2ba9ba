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

// CHECK-LABEL: func.func @scaling
func.func @scaling(%x: tensor<2x3x8x16xf32>, %p: tensor<2x8xi32>) {
  // CHECK: tt.rope half_split %{{.+}} theta = 1.000000e+04 scaling linear(4.000000e+00) : (tensor<2x3x8x16xf32>) -> tensor<2x3x8x16xf32>
  %0 = tt.rope half_split %x theta = 1.000000e+04 scaling linear(4.000000e+00) : (tensor<2x3x8x16xf32>) -> tensor<2x3x8x16xf32>
  // CHECK: tt.rope interleaved %{{.+}} theta = 1.000000e+04 scaling ntk(2.000000e+00) : (tensor<2x3x8x16xf32>) -> tensor<2x3x8x16xf32>
  %1 = tt.rope interleaved %x theta = 1.000000e+04 scaling ntk(2.000000e+00) : (tensor<2x3x8x16xf32>) -> tensor<2x3x8x16xf32>
  // CHECK: tt.rope half_split inverse %{{.+}} positions(%{{.+}}) theta = 5.000000e+05 scaling llama3(8.000000e+00, 1.000000e+00, 4.000000e+00, 8192) : (tensor<2x3x8x16xf32>, tensor<2x8xi32>) -> tensor<2x3x8x16xf32>
  %2 = tt.rope half_split inverse %x positions(%p) theta = 5.000000e+05 scaling llama3(8.000000e+00, 1.000000e+00, 4.000000e+00, 8192) : (tensor<2x3x8x16xf32>, tensor<2x8xi32>) -> tensor<2x3x8x16xf32>
  return
}
