// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: tt.kernel @add_0
tt.kernel @add_0(%a: tensor<8xf32>, %b: tensor<8xf32> {tt.strides = array<i64: 2>}) -> tensor<8xf32> attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  // CHECK: tt.add %{{.+}}, %{{.+}} : tensor<8xf32>
  %c = tt.add %a, %b : tensor<8xf32>
  // CHECK: tt.yield %{{.+}} : tensor<8xf32>
  tt.yield %c : tensor<8xf32>
}

// CHECK-LABEL: func.func @call
func.func @call(%a: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: tt.call_kernel @add_0(%{{.+}}, %{{.+}}) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %c = tt.call_kernel @add_0(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// CHECK-LABEL: tt.step @double
tt.step @double inputs = ["x"] outputs = ["y"] {
  // CHECK: tt.buffer io bytes = 32 {name = "x"}
  %0 = tt.buffer io bytes = 32 {name = "x"}
  // CHECK: tt.buffer arena bytes = 64 {kind = "activation", offset = 64 : i64}
  %1 = tt.buffer arena bytes = 64 {kind = "activation", offset = 64 : i64}
  // CHECK: tt.buffer constant bytes = 32 {name = "c", value = dense<1.000000e+00> : tensor<8xf32>}
  %2 = tt.buffer constant bytes = 32 {name = "c", value = dense<1.000000e+00> : tensor<8xf32>}
  // CHECK: tt.buffer arena bytes = 128 {kind = "workspace"}
  %3 = tt.buffer arena bytes = 128 {kind = "workspace"}
  // CHECK: tt.view %{{.+}} at 0 : memref<8xf32>
  %4 = tt.view %0 at 0 : memref<8xf32>
  // CHECK: tt.view %{{.+}} at 4 : memref<8xf32, strided<[2]>>
  %5 = tt.view %1 at 4 : memref<8xf32, strided<[2]>>
  // CHECK: tt.launch @add_0 reads(%{{.+}}, %{{.+}} : memref<8xf32>, memref<8xf32>) writes(%{{.+}} : memref<8xf32, strided<[2]>>) workspace(%{{.+}})
  tt.launch @add_0 reads(%4, %4 : memref<8xf32>, memref<8xf32>) writes(%5 : memref<8xf32, strided<[2]>>) workspace(%3)
  // CHECK: tt.yield %{{.+}} : memref<8xf32, strided<[2]>>
  tt.yield %5 : memref<8xf32, strided<[2]>>
}
