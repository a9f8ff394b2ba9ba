// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @norm
func.func @norm(%g: tensor<4x8xf32>, %b: tensor<8xbf16>) {
  // CHECK: tt.sum_squares %{{.+}} : tensor<4x8xf32> -> tensor<f64>
  %0 = tt.sum_squares %g : tensor<4x8xf32> -> tensor<f64>
  // CHECK: tt.sum_squares %{{.+}} : tensor<8xbf16> -> tensor<f64>
  %1 = tt.sum_squares %b : tensor<8xbf16> -> tensor<f64>
  // CHECK: tt.global_norm %{{.+}}, %{{.+}} max_norm = 1.000000e+00 : (tensor<f64>, tensor<f64>) -> (tensor<f32>, tensor<f32>, tensor<i32>)
  %n, %c, %s = tt.global_norm %0, %1 max_norm = 1.000000e+00 : (tensor<f64>, tensor<f64>) -> (tensor<f32>, tensor<f32>, tensor<i32>)
  return
}

// CHECK-LABEL: func.func @adamw
func.func @adamw(%p: tensor<8xf32>, %lr: tensor<f32>, %step: tensor<i64>, %skipped: tensor<i32>) {
  // CHECK: tt.adamw %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} beta1 = 5.000000e-01 beta2 = 7.500000e-01 eps = 1.000000e-08 weight_decay = 1.000000e-01 : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  %p1, %m1, %v1 = tt.adamw %p, %p, %p, %p, %lr, %step, %lr, %skipped beta1 = 5.000000e-01 beta2 = 7.500000e-01 eps = 1.000000e-08 weight_decay = 1.000000e-01 : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}
