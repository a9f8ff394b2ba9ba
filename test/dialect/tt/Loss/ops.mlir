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

// The extended forms; attributes at their defaults are not printed.
// CHECK-LABEL: func.func @extended
func.func @extended(%z: tensor<4x65xf32>, %t: tensor<4xi32>, %w: tensor<65xf32>) {
  // CHECK: tt.cross_entropy mean %{{.+}}, %{{.+}} weights(%{{.+}}) {label_smoothing = 1.000000e-01 : f64, z_loss = 1.000000e-04 : f64} : (tensor<4x65xf32>, tensor<4xi32>, tensor<65xf32>) -> (tensor<f32>, tensor<4xf32>)
  %l, %lse = tt.cross_entropy mean %z, %t weights(%w) {label_smoothing = 0.1 : f64, z_loss = 1.0e-4 : f64} : (tensor<4x65xf32>, tensor<4xi32>, tensor<65xf32>) -> (tensor<f32>, tensor<4xf32>)
  // CHECK: tt.cross_entropy_bwd mean %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} weights(%{{.+}}) {label_smoothing = 1.000000e-01 : f64} : (tensor<4x65xf32>, tensor<4xi32>, tensor<4xf32>, tensor<f32>, tensor<65xf32>) -> tensor<4x65xf32>
  %d = tt.cross_entropy_bwd mean %z, %t, %lse, %l weights(%w) {label_smoothing = 0.1 : f64} : (tensor<4x65xf32>, tensor<4xi32>, tensor<4xf32>, tensor<f32>, tensor<65xf32>) -> tensor<4x65xf32>
  return
}

// CHECK-LABEL: func.func @linear_cross_entropy
func.func @linear_cross_entropy(%h: tensor<2x4x8xf32>, %w: tensor<65x8xf32>, %v: tensor<8x65xf32>, %c: tensor<65xf32>, %t: tensor<2x4xi32>, %e: tensor<2x4xf32>) {
  // CHECK: tt.linear_cross_entropy mean out_in %{{.+}}, %{{.+}}, %{{.+}} chunks = 4 : (tensor<2x4x8xf32>, tensor<65x8xf32>, tensor<2x4xi32>) -> (tensor<f32>, tensor<2x4xf32>)
  %l, %lse = tt.linear_cross_entropy mean out_in %h, %w, %t chunks = 4 : (tensor<2x4x8xf32>, tensor<65x8xf32>, tensor<2x4xi32>) -> (tensor<f32>, tensor<2x4xf32>)
  // CHECK: tt.linear_cross_entropy_bwd mean out_in %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} chunks = 4 : (tensor<2x4x8xf32>, tensor<65x8xf32>, tensor<2x4xi32>, tensor<2x4xf32>, tensor<f32>) -> (tensor<2x4x8xf32>, tensor<65x8xf32>)
  %dh, %dw = tt.linear_cross_entropy_bwd mean out_in %h, %w, %t, %lse, %l chunks = 4 : (tensor<2x4x8xf32>, tensor<65x8xf32>, tensor<2x4xi32>, tensor<2x4xf32>, tensor<f32>) -> (tensor<2x4x8xf32>, tensor<65x8xf32>)
  // CHECK: tt.linear_cross_entropy_bwd none out_in %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} d_lse(%{{.+}}) chunks = 1 {ignore_index = 0 : i64}
  %dh2, %dw2 = tt.linear_cross_entropy_bwd none out_in %h, %w, %t, %lse, %e d_lse(%e) chunks = 1 {ignore_index = 0 : i64} : (tensor<2x4x8xf32>, tensor<65x8xf32>, tensor<2x4xi32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4x8xf32>, tensor<65x8xf32>)
  // CHECK: tt.linear_cross_entropy none in_out %{{.+}}, %{{.+}}, %{{.+}} weights(%{{.+}}) chunks = 3 {label_smoothing = 1.000000e-01 : f64, z_loss = 1.000000e-04 : f64}
  %l3, %lse3 = tt.linear_cross_entropy none in_out %h, %v, %t weights(%c) chunks = 3 {label_smoothing = 0.1 : f64, z_loss = 1.0e-4 : f64} : (tensor<2x4x8xf32>, tensor<8x65xf32>, tensor<2x4xi32>, tensor<65xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  // CHECK: tt.linear_cross_entropy_bwd none in_out %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} d_lse(%{{.+}}) weights(%{{.+}}) chunks = 3 {z_loss = 1.000000e-04 : f64}
  %dh3, %dw3 = tt.linear_cross_entropy_bwd none in_out %h, %v, %t, %lse3, %l3 d_lse(%e) weights(%c) chunks = 3 {z_loss = 1.0e-4 : f64} : (tensor<2x4x8xf32>, tensor<8x65xf32>, tensor<2x4xi32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<65xf32>) -> (tensor<2x4x8xf32>, tensor<8x65xf32>)
  // CHECK: tt.linear_cross_entropy mean out_in %{{.+}}, %{{.+}}, %{{.+}} weights(%{{.+}}) bias(%{{.+}}) chunks = 2 :
  %l4, %lse4 = tt.linear_cross_entropy mean out_in %h, %w, %t weights(%c) bias(%c) chunks = 2 : (tensor<2x4x8xf32>, tensor<65x8xf32>, tensor<2x4xi32>, tensor<65xf32>, tensor<65xf32>) -> (tensor<f32>, tensor<2x4xf32>)
  // CHECK: tt.linear_cross_entropy_bwd mean out_in %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} bias(%{{.+}}) chunks = 2 : {{.+}} -> (tensor<2x4x8xf32>, tensor<65x8xf32>, tensor<65xf32>)
  %dh4, %dw4, %db4 = tt.linear_cross_entropy_bwd mean out_in %h, %w, %t, %lse4, %l4 bias(%c) chunks = 2 : (tensor<2x4x8xf32>, tensor<65x8xf32>, tensor<2x4xi32>, tensor<2x4xf32>, tensor<f32>, tensor<65xf32>) -> (tensor<2x4x8xf32>, tensor<65x8xf32>, tensor<65xf32>)
  return
}

// CHECK-LABEL: func.func @of_elements
func.func @of_elements(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %w: tensor<8xf32>, %b: tensor<4xbf16>) {
  // CHECK: tt.mse mean %{{.+}}, %{{.+}} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  %0 = tt.mse mean %x, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  // CHECK: tt.mse none %{{.+}}, %{{.+}} : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xf32>
  %1 = tt.mse none %b, %b : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xf32>
  // CHECK: tt.kl_div batchmean %{{.+}}, %{{.+}} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  %2 = tt.kl_div batchmean %x, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  // CHECK: tt.kl_div sum %{{.+}}, %{{.+}} log_target : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  %3 = tt.kl_div sum %x, %y log_target : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  // CHECK: tt.bce_with_logits sum %{{.+}}, %{{.+}} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  %4 = tt.bce_with_logits sum %x, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<f32>
  // CHECK: tt.bce_with_logits none %{{.+}}, %{{.+}} pos_weight(%{{.+}}) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %5 = tt.bce_with_logits none %x, %y pos_weight(%w) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}
