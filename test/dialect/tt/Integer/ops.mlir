// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @integers
func.func @integers(%p: tensor<4xi32>, %q: tensor<4xi32>) {
  // CHECK: tt.floor_div %{{.+}}, %{{.+}} : tensor<4xi32>
  %0 = tt.floor_div %p, %q : tensor<4xi32>
  // CHECK: tt.rem %{{.+}}, %{{.+}} : tensor<4xi32>
  %1 = tt.rem %p, %q : tensor<4xi32>
  return
}

// CHECK-LABEL: func.func @bits
func.func @bits(%a: tensor<4xi1>, %b: tensor<4xi1>, %c: tensor<4xi8>) {
  // CHECK: tt.and %{{.+}}, %{{.+}} : tensor<4xi1>
  %0 = tt.and %a, %b : tensor<4xi1>
  // CHECK: tt.or %{{.+}}, %{{.+}} : tensor<4xi1>
  %1 = tt.or %a, %b : tensor<4xi1>
  // CHECK: tt.xor %{{.+}}, %{{.+}} : tensor<4xi8>
  %2 = tt.xor %c, %c : tensor<4xi8>
  // CHECK: tt.not %{{.+}} : tensor<4xi1>
  %3 = tt.not %a : tensor<4xi1>
  return
}
