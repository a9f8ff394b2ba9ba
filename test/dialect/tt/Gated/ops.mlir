// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @gated
func.func @gated(%g: tensor<4x8xf32>, %u: tensor<4x8xf32>) {
  // CHECK: tt.geglu erf %{{.+}}, %{{.+}} : tensor<4x8xf32>
  %0 = tt.geglu erf %g, %u : tensor<4x8xf32>
  // CHECK: tt.geglu tanh %{{.+}}, %{{.+}} : tensor<4x8xf32>
  %1 = tt.geglu tanh %g, %u : tensor<4x8xf32>
  // CHECK: tt.reglu %{{.+}}, %{{.+}} : tensor<4x8xf32>
  %2 = tt.reglu %g, %u : tensor<4x8xf32>
  return
}
