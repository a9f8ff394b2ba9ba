// RUN: tt-opt %s --tt-fuse-loss=chunks=4 --split-input-file | FileCheck %s

// The head and its loss become one op; the parameter keeps its layout.
// CHECK-LABEL: func.func @head
// CHECK-SAME:    (%[[H:.+]]: tensor<2x4x8xf32>, %[[W:.+]]: tensor<65x8xf32>, %[[T:.+]]: tensor<2x4xi32>)
// CHECK-NEXT:    %[[L:.+]], %{{.+}} = tt.linear_cross_entropy mean out_in %[[H]], %[[W]], %[[T]] chunks = 4
// CHECK-NEXT:    return %[[L]]
func.func @head(%h: tensor<2x4x8xf32>, %w: tensor<65x8xf32>, %t: tensor<2x4xi32>) -> tensor<f32> {
  %z = tt.linear out_in %h, %w : (tensor<2x4x8xf32>, tensor<65x8xf32>) -> tensor<2x4x65xf32>
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<2x4x65xf32>, tensor<2x4xi32>) -> (tensor<f32>, tensor<2x4xf32>)
  return %l : tensor<f32>
}

// -----

// Through a reshape of the rows; not more chunks than rows.
// CHECK-LABEL: func.func @reshaped
// CHECK:         %[[R:.+]] = tt.reshape %{{.+}} : tensor<1x3x8xf32> -> tensor<3x8xf32>
// CHECK-NEXT:    tt.linear_cross_entropy sum in_out %[[R]], %{{.+}}, %{{.+}} chunks = 3 {ignore_index = 0 : i64}
// CHECK-NOT:     tt.linear{{ }}
func.func @reshaped(%h: tensor<1x3x8xf32>, %w: tensor<8x65xf32>, %t: tensor<3xi32>) -> tensor<f32> {
  %z = tt.linear in_out %h, %w : (tensor<1x3x8xf32>, tensor<8x65xf32>) -> tensor<1x3x65xf32>
  %r = tt.reshape %z : tensor<1x3x65xf32> -> tensor<3x65xf32>
  %l, %lse = tt.cross_entropy sum %r, %t {ignore_index = 0 : i64} : (tensor<3x65xf32>, tensor<3xi32>) -> (tensor<f32>, tensor<3xf32>)
  return %l : tensor<f32>
}

// -----

// Logits that something else reads: left alone.
// CHECK-LABEL: func.func @read
// CHECK-NOT:     tt.linear_cross_entropy
func.func @read(%h: tensor<4x8xf32>, %w: tensor<65x8xf32>, %t: tensor<4xi32>) -> (tensor<f32>, tensor<4x65xf32>) {
  %z = tt.linear out_in %h, %w : (tensor<4x8xf32>, tensor<65x8xf32>) -> tensor<4x65xf32>
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<4x65xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return %l, %z : tensor<f32>, tensor<4x65xf32>
}

// -----

// A bias comes along.
// CHECK-LABEL: func.func @bias
// CHECK-SAME:    %[[B:[a-z0-9]+]]: tensor<65xf32>, %[[T:.+]]: tensor<4xi32>)
// CHECK-NEXT:    tt.linear_cross_entropy mean out_in %{{.+}}, %{{.+}}, %[[T]] bias(%[[B]]) chunks = 4
func.func @bias(%h: tensor<4x8xf32>, %w: tensor<65x8xf32>, %b: tensor<65xf32>, %t: tensor<4xi32>) -> tensor<f32> {
  %z = tt.linear out_in %h, %w, %b : (tensor<4x8xf32>, tensor<65x8xf32>, tensor<65xf32>) -> tensor<4x65xf32>
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<4x65xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return %l : tensor<f32>
}

// -----

// Smoothing, z-loss and class weights come along.
// CHECK-LABEL: func.func @extended
// CHECK-SAME:    %[[C:[a-z0-9]+]]: tensor<65xf32>)
// CHECK-NEXT:    tt.linear_cross_entropy mean out_in %{{.+}}, %{{.+}}, %{{.+}} weights(%[[C]]) chunks = 4 {label_smoothing = 1.000000e-01 : f64, z_loss = 1.000000e-04 : f64}
func.func @extended(%h: tensor<4x8xf32>, %w: tensor<65x8xf32>, %t: tensor<4xi32>, %c: tensor<65xf32>) -> tensor<f32> {
  %z = tt.linear out_in %h, %w : (tensor<4x8xf32>, tensor<65x8xf32>) -> tensor<4x65xf32>
  %l, %lse = tt.cross_entropy mean %z, %t weights(%c) {label_smoothing = 0.1 : f64, z_loss = 1.0e-4 : f64} : (tensor<4x65xf32>, tensor<4xi32>, tensor<65xf32>) -> (tensor<f32>, tensor<4xf32>)
  return %l : tensor<f32>
}
