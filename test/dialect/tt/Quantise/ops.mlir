// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @quantise
func.func @quantise(%x: tensor<4x8xf32>, %q: tensor<4x8xi8>) {
  // CHECK: tt.round_ste %{{.+}} : tensor<4x8xf32>
  %0 = tt.round_ste %x : tensor<4x8xf32>
  // CHECK: tt.fake_quant %{{.+}} scale = 1.250000e-01 zero_point = 0 low = -8 high = 7 : tensor<4x8xf32>
  %1 = tt.fake_quant %x scale = 1.250000e-01 zero_point = 0 low = -8 high = 7 : tensor<4x8xf32>
  // CHECK: tt.dequantise %{{.+}} scale = 2.000000e-02 zero_point = 3 : tensor<4x8xi8> -> tensor<4x8xf32>
  %2 = tt.dequantise %q scale = 2.000000e-02 zero_point = 3 : tensor<4x8xi8> -> tensor<4x8xf32>
  return
}
