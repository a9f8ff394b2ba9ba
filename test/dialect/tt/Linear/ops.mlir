// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @matmul
func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %at: tensor<8x4xf32>,
      %bt: tensor<2x8xf32>, %c: tensor<3x4x8xbf16>, %d: tensor<3x8x5xbf16>) {
  // CHECK: tt.matmul %{{.+}}, %{{.+}} : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %0 = tt.matmul %a, %b : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  // CHECK: tt.matmul %{{.+}}, %{{.+}} transpose_lhs : (tensor<8x4xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %1 = tt.matmul %at, %b transpose_lhs : (tensor<8x4xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  // CHECK: tt.matmul %{{.+}}, %{{.+}} transpose_rhs : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
  %2 = tt.matmul %a, %bt transpose_rhs : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
  // CHECK: tt.matmul %{{.+}}, %{{.+}} transpose_lhs transpose_rhs : (tensor<8x4xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
  %3 = tt.matmul %at, %bt transpose_lhs transpose_rhs : (tensor<8x4xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
  // CHECK: tt.matmul %{{.+}}, %{{.+}} : (tensor<3x4x8xbf16>, tensor<3x8x5xbf16>) -> tensor<3x4x5xbf16>
  %4 = tt.matmul %c, %d : (tensor<3x4x8xbf16>, tensor<3x8x5xbf16>) -> tensor<3x4x5xbf16>
  return
}

// CHECK-LABEL: func.func @linear
func.func @linear(%x: tensor<3x4x8xf32>, %w: tensor<8x2xf32>, %v: tensor<2x8xf32>, %b: tensor<2xf32>) {
  // CHECK: tt.linear in_out %{{.+}}, %{{.+}} : (tensor<3x4x8xf32>, tensor<8x2xf32>) -> tensor<3x4x2xf32>
  %0 = tt.linear in_out %x, %w : (tensor<3x4x8xf32>, tensor<8x2xf32>) -> tensor<3x4x2xf32>
  // CHECK: tt.linear in_out %{{.+}}, %{{.+}}, %{{.+}} : (tensor<3x4x8xf32>, tensor<8x2xf32>, tensor<2xf32>) -> tensor<3x4x2xf32>
  %1 = tt.linear in_out %x, %w, %b : (tensor<3x4x8xf32>, tensor<8x2xf32>, tensor<2xf32>) -> tensor<3x4x2xf32>
  // CHECK: tt.linear out_in %{{.+}}, %{{.+}}, %{{.+}} : (tensor<3x4x8xf32>, tensor<2x8xf32>, tensor<2xf32>) -> tensor<3x4x2xf32>
  %2 = tt.linear out_in %x, %v, %b : (tensor<3x4x8xf32>, tensor<2x8xf32>, tensor<2xf32>) -> tensor<3x4x2xf32>
  return
}
