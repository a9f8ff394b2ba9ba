// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @control
func.func @control(%x: tensor<4xf32>, %d: tensor<8xf32>, %i: tensor<4xi32>) {
  // CHECK: tt.stop_gradient %{{.+}} : tensor<4xf32>
  %0 = tt.stop_gradient %x : tensor<4xf32>
  // CHECK: tt.stop_gradient %{{.+}} : tensor<4xi32>
  %1 = tt.stop_gradient %i : tensor<4xi32>
  // CHECK: tt.remat_barrier %{{.+}} after %{{.+}} : tensor<4xf32>, tensor<8xf32>
  %2 = tt.remat_barrier %x after %d : tensor<4xf32>, tensor<8xf32>
  return
}

// CHECK-LABEL: func.func @grad_transform
func.func @grad_transform(%x: tensor<4xf32>) {
  // CHECK: tt.grad_transform clip 1.000000e+00 %{{.+}} : tensor<4xf32>
  %0 = tt.grad_transform clip 1.000000e+00 %x : tensor<4xf32>
  // CHECK: tt.grad_transform scale 5.000000e-01 %{{.+}} : tensor<4xf32>
  %1 = tt.grad_transform scale 5.000000e-01 %x : tensor<4xf32>
  // CHECK: tt.grad_transform reverse %{{.+}} : tensor<4xf32>
  %2 = tt.grad_transform reverse %x : tensor<4xf32>
  return
}

func.func private @forward(%x: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<i32>) {
  return %x, %n : tensor<4xf32>, tensor<i32>
}
func.func private @rule(%x: tensor<4xf32>, %n: tensor<i32>, %y: tensor<4xf32>, %m: tensor<i32>, %dy: tensor<4xf32>) -> tensor<4xf32> {
  return %dy : tensor<4xf32>
}
func.func private @forward_rule(%x: tensor<4xf32>, %n: tensor<i32>, %dx: tensor<4xf32>) -> tensor<4xf32> {
  return %dx : tensor<4xf32>
}

// CHECK-LABEL: func.func @custom_vjp
func.func @custom_vjp(%x: tensor<4xf32>, %n: tensor<i32>) {
  // CHECK: tt.custom_vjp @forward(%{{.+}}, %{{.+}}) vjp = @rule : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
  %0:2 = tt.custom_vjp @forward(%x, %n) vjp = @rule : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
  // CHECK: tt.custom_vjp @forward(%{{.+}}, %{{.+}}) vjp = @rule jvp = @forward_rule : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
  %1:2 = tt.custom_vjp @forward(%x, %n) vjp = @rule jvp = @forward_rule : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
  // CHECK: tt.custom_vjp @forward(%{{.+}}, %{{.+}}) vjp = @rule surrogate : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
  %2:2 = tt.custom_vjp @forward(%x, %n) vjp = @rule surrogate : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>)
  // CHECK: tt.custom_vjp @forward(%{{.+}}, %{{.+}}) jvp = @forward_rule : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>) rule {
  // CHECK-NEXT: ^bb0(%{{.+}}: tensor<4xf32>, %{{.+}}: tensor<i32>, %{{.+}}: tensor<4xf32>, %{{.+}}: tensor<i32>, %[[DY:.+]]: tensor<4xf32>):
  // CHECK-NEXT:   tt.yield %[[DY]] : tensor<4xf32>
  %3:2 = tt.custom_vjp @forward(%x, %n) jvp = @forward_rule : (tensor<4xf32>, tensor<i32>) -> (tensor<4xf32>, tensor<i32>) rule {
  ^bb0(%a: tensor<4xf32>, %m: tensor<i32>, %y: tensor<4xf32>, %k: tensor<i32>, %dy: tensor<4xf32>):
    tt.yield %dy : tensor<4xf32>
  }
  return
}

func.func private @layer(%x: tensor<4xf32>, %w: tensor<4xf32>, %m: tensor<4xi1>, %k: tensor<2xi32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// CHECK-LABEL: func.func @repeat
func.func @repeat(%x: tensor<4xf32>, %w: tensor<3x4xf32>, %m: tensor<4xi1>, %k: tensor<2xi32>) {
  // CHECK: tt.repeat @layer count = 3 carried(%{{.+}}) stacked(%{{.+}}) shared(%{{.+}}) key(%{{.+}}) : (tensor<4xf32>, tensor<3x4xf32>, tensor<4xi1>, tensor<2xi32>) -> tensor<4xf32>
  %0 = tt.repeat @layer count = 3 carried(%x) stacked(%w) shared(%m) key(%k) : (tensor<4xf32>, tensor<3x4xf32>, tensor<4xi1>, tensor<2xi32>) -> tensor<4xf32>
  return
}
