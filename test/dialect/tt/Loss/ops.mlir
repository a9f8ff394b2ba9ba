// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @cross_entropy
func.func @cross_entropy(%z: tensor<2x4x65xf32>, %t: tensor<2x4xi32>) {
  // CHECK: tt.cross_entropy mean %{{.+}}, %{{.+}} : (tensor<2x4x65xf32>, tensor<2x4xi32>) -> (tensor<f32>, tensor<2x4xf32>)
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<2x4x65xf32>, tensor<2x4xi32>) -> (tensor<f32>, tensor<2x4xf32>)
  // CHECK: tt.cross_entropy sum %{{.+}}, %{{.+}} {ignore_index = 0 : i64} : (tensor<2x4x65xf32>, tensor<2x4xi32>) -> (tensor<f32>, tensor<2x4xf32>)
  %l1, %lse1 = tt.cross_entropy sum %z, %t {ignore_index = 0 : i64} : (tensor<2x4x65xf32>, tensor<2x4xi32>) -> (tensor<f32>, tensor<2x4xf32>)
  // CHECK: tt.cross_entropy none %{{.+}}, %{{.+}} : (tensor<2x4x65xf32>, tensor<2x4xi32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  %l2, %lse2 = tt.cross_entropy none %z, %t : (tensor<2x4x65xf32>, tensor<2x4xi32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  // CHECK: tt.cross_entropy_bwd mean %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : (tensor<2x4x65xf32>, tensor<2x4xi32>, tensor<2x4xf32>, tensor<f32>) -> tensor<2x4x65xf32>
  %d = tt.cross_entropy_bwd mean %z, %t, %lse, %l : (tensor<2x4x65xf32>, tensor<2x4xi32>, tensor<2x4xf32>, tensor<f32>) -> tensor<2x4x65xf32>
  // CHECK: tt.cross_entropy_bwd none %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} {ignore_index = 0 : i64} : (tensor<2x4x65xf32>, tensor<2x4xi32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4x65xf32>
  %d2 = tt.cross_entropy_bwd none %z, %t, %lse, %l2 {ignore_index = 0 : i64} : (tensor<2x4x65xf32>, tensor<2x4xi32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4x65xf32>
  return
}

// The loss of 16-bit logits is f32.
// CHECK-LABEL: func.func @bf16
func.func @bf16(%z: tensor<4x65xbf16>, %t: tensor<4xi64>) {
  // CHECK: tt.cross_entropy mean %{{.+}}, %{{.+}} : (tensor<4x65xbf16>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>)
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<4x65xbf16>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>)
  return
}
