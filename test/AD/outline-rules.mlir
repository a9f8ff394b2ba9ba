// RUN: tt-opt %s --tt-outline-rules | FileCheck %s
// RUN: tt-opt %s --tt-outline-rules --tt-autodiff="function=loss" | FileCheck %s --check-prefix=AD

// A rule that is a region becomes a private function with a name of its own.
// CHECK:      func.func private @square_vjp(
func.func private @square_vjp() {
  return
}
func.func private @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.square %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
// CHECK-LABEL: func.func @loss
// CHECK:         tt.custom_vjp @square(%{{.+}}) vjp = @square_vjp_1 : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NOT:     rule
// CHECK-LABEL: func.func private @square_vjp_1(
// CHECK-SAME:    %[[X:[^:]+]]: tensor<4xf32>, %[[Y:[^:]+]]: tensor<4xf32>, %[[DY:[^:]+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[A:.+]] = tt.add %[[X]], %[[X]]
// CHECK-NEXT:    %[[D:.+]] = tt.mul %[[A]], %[[DY]]
// CHECK-NEXT:    return %[[D]]
// AD-LABEL:    func.func private @loss_bwd
// AD:            call @square_vjp_1(
func.func @loss(%w: tensor<4xf32> {tt.param = "w"}) -> tensor<4xf32> {
  %y = tt.custom_vjp @square(%w) : (tensor<4xf32>) -> tensor<4xf32> rule {
  ^bb0(%x: tensor<4xf32>, %z: tensor<4xf32>, %dz: tensor<4xf32>):
    %a = tt.add %x, %x : tensor<4xf32>
    %d = tt.mul %a, %dz : tensor<4xf32>
    tt.yield %d : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
