// RUN: tt-opt %s --tt-decompose=ops=linear_cross_entropy,linear_cross_entropy_bwd | FileCheck %s

// Five rows in two chunks: three and two. No value has five rows of logits.
// CHECK-LABEL: func.func @forward
// CHECK-NOT:     5x65
// CHECK:         %[[A:.+]] = tt.linear out_in %{{.+}} : (tensor<3x8xf32>, tensor<65x8xf32>) -> tensor<3x65xf32>
// CHECK:         tt.cross_entropy none %[[A]]
// CHECK:         %[[B:.+]] = tt.linear out_in %{{.+}} : (tensor<2x8xf32>, tensor<65x8xf32>) -> tensor<2x65xf32>
// CHECK:         tt.cross_entropy none %[[B]]
// CHECK:         tt.concat %{{.+}}, %{{.+}} dim = 0
// CHECK:         return
func.func @forward(%h: tensor<5x8xf32>, %w: tensor<65x8xf32>, %t: tensor<5xi32>) -> tensor<f32> {
  %l, %lse = tt.linear_cross_entropy mean out_in %h, %w, %t chunks = 2 : (tensor<5x8xf32>, tensor<65x8xf32>, tensor<5xi32>) -> (tensor<f32>, tensor<5xf32>)
  return %l : tensor<f32>
}

// The weight's parts are added in the order of the chunks.
// CHECK-LABEL: func.func @backward
// CHECK-NOT:     5x65
// CHECK:         %[[A:.+]] = tt.matmul {{.+}} -> tensor<65x8xf32>
// CHECK:         %[[B:.+]] = tt.matmul {{.+}} -> tensor<65x8xf32>
// CHECK:         %[[S:.+]] = tt.add %[[B]], %[[A]] : tensor<65x8xf32>
// CHECK:         return %{{.+}}, %[[S]]
func.func @backward(%h: tensor<5x8xf32>, %w: tensor<65x8xf32>, %t: tensor<5xi32>, %lse: tensor<5xf32>, %d: tensor<f32>) -> (tensor<5x8xf32>, tensor<65x8xf32>) {
  %dh, %dw = tt.linear_cross_entropy_bwd mean out_in %h, %w, %t, %lse, %d chunks = 2 : (tensor<5x8xf32>, tensor<65x8xf32>, tensor<5xi32>, tensor<5xf32>, tensor<f32>) -> (tensor<5x8xf32>, tensor<65x8xf32>)
  return %dh, %dw : tensor<5x8xf32>, tensor<65x8xf32>
}

// A result that nothing reads costs no product.
// CHECK-LABEL: func.func @frozen
// CHECK-NOT:     tt.matmul
// CHECK:         return
func.func @frozen(%h: tensor<5x8xf32>, %w: tensor<65x8xf32>, %t: tensor<5xi32>, %lse: tensor<5xf32>, %d: tensor<f32>) -> tensor<5x8xf32> {
  %dh, %dw = tt.linear_cross_entropy_bwd mean out_in %h, %w, %t, %lse, %d chunks = 2 : (tensor<5x8xf32>, tensor<65x8xf32>, tensor<5xi32>, tensor<5xf32>, tensor<f32>) -> (tensor<5x8xf32>, tensor<65x8xf32>)
  return %dh : tensor<5x8xf32>
}

// The mean divides by the weights of the counted rows; they are looked up, so that no
// value has five rows of classes, either.
// CHECK-LABEL: func.func @weighted
// CHECK-NOT:     5x65
// CHECK:         tt.cross_entropy none %{{.+}} weights(%{{.+}}) {label_smoothing
// CHECK:         tt.cross_entropy none %{{.+}} weights(%{{.+}}) {label_smoothing
// CHECK:         tt.gather_rows %{{.+}} : (tensor<65xf32>, tensor<5xi32>) -> tensor<5xf32>
// CHECK:         return
func.func @weighted(%h: tensor<5x8xf32>, %w: tensor<65x8xf32>, %c: tensor<65xf32>, %t: tensor<5xi32>) -> tensor<f32> {
  %l, %lse = tt.linear_cross_entropy mean out_in %h, %w, %t weights(%c) chunks = 2 {label_smoothing = 0.1 : f64} : (tensor<5x8xf32>, tensor<65x8xf32>, tensor<5xi32>, tensor<65xf32>) -> (tensor<f32>, tensor<5xf32>)
  return %l : tensor<f32>
}
