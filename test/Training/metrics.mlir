// RUN: tt-opt %s --tt-autodiff --tt-inference --tt-build-train-step | FileCheck %s

// A loss with metrics: entries return them under their names, the gradient is the
// loss's alone.
// CHECK-LABEL: func.func private @loss_bwd(
// CHECK-SAME:    %{{[a-z0-9]+}}: tensor<f32>) -> tensor<8xf32>
// CHECK-LABEL: func.func @eval(
// CHECK-SAME:    -> (tensor<i32> {tt.output = "count"}, tensor<f32> {tt.output = "loss"}, tensor<8xf32> {tt.output = "error"})
// CHECK-LABEL: func.func @train_step(
// CHECK-SAME:    tensor<f32> {tt.output = "loss"}, tensor<f32> {tt.output = "grad_norm"}, tensor<f32> {tt.output = "clip"}, tensor<i32> {tt.output = "skipped"}, tensor<i32> {tt.output = "count"}, tensor<8xf32> {tt.output = "error"})
// CHECK:         %[[F:.+]]:{{[0-9]+}} = call @loss_fwd
// CHECK:         return {{.+}}, %[[F]]#1, %{{.+}}, %{{.+}}, %{{.+}}, %[[F]]#0, %[[F]]#2 :
// CHECK-LABEL: func.func @grad(
// CHECK-SAME:    -> (tensor<f32> {tt.output = "loss"}, tensor<8xf32> {tt.output = "grad:w"}, tensor<i32> {tt.output = "count"}, tensor<8xf32> {tt.output = "error"})
func.func @loss(%w: tensor<8xf32> {tt.param = "w"}, %x: tensor<8xf32> {tt.input = "x"})
    -> (tensor<i32> {tt.output = "count"}, tensor<f32> {tt.output = "loss"}, tensor<8xf32> {tt.output = "error"}) {
  %d = tt.sub %w, %x : tensor<8xf32>
  %l = tt.mse mean %w, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  %e = tt.stop_gradient %d : tensor<8xf32>
  %c = tt.compare lt %w, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  %f = tt.cast %c : tensor<8xi1> to tensor<8xf32>
  %s = tt.sum %f dims = [0] : (tensor<8xf32>) -> tensor<f32>
  %n = tt.cast %s : tensor<f32> to tensor<i32>
  return %n, %l, %e : tensor<i32>, tensor<f32>, tensor<8xf32>
}
