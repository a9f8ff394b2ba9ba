// RUN: tt-opt %s --tt-autodiff --tt-checkpoint=policy=full | FileCheck %s --check-prefixes=CHECK,FULL
// RUN: tt-opt %s --tt-autodiff --tt-checkpoint="policy=sqrt segments=2" | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: tt-opt %s --tt-autodiff --tt-checkpoint=policy=none | FileCheck %s --check-prefix=NONE
// RUN: tt-opt %s --tt-autodiff --tt-checkpoint=policy=full --tt-build-train-step > %t.before
// RUN: tt-opt %s --tt-autodiff --tt-build-train-step --tt-checkpoint=policy=full > %t.after
// RUN: diff %t.before %t.after

// Four layers. Each keeps %h, and the next one keeps its input.
func.func private @layer(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %h = tt.linear in_out %x, %w, %b : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %y = tt.gelu tanh %h : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
func.func @loss(%x: tensor<4x8xf32> {tt.input = "x"}, %w: tensor<8x8xf32> {tt.param = "w"},
                %b: tensor<8xf32> {tt.param = "b"}) -> tensor<f32> {
  %0 = call @layer(%x, %w, %b) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = call @layer(%0, %w, %b) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %2 = call @layer(%1, %w, %b) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %3 = call @layer(%2, %w, %b) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %l = tt.sum %3 dims = [0, 1] : (tensor<4x8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// The forward keeps what crosses a cut and the residuals of the last segment.
// CHECK-LABEL: func.func private @loss_fwd
// FULL:      %[[X1:.+]] = call @layer(
// FULL-NEXT: %[[X2:.+]] = call @layer(%[[X1]],
// FULL-NEXT: %[[X3:.+]] = call @layer(%[[X2]],
// FULL-NEXT: %[[LAST:.+]]:2 = call @layer_fwd{{.*}}(%[[X3]],
// FULL:      return %{{.+}}, %[[X1]], %[[X2]], %[[X3]], %[[LAST]]#1 :
// TWO:       %[[X1:.+]] = call @layer(
// TWO-NEXT:  %[[X2:.+]] = call @layer(%[[X1]],
// TWO-NEXT:  %[[T3:.+]]:2 = call @layer_fwd{{.*}}(%[[X2]],
// TWO-NEXT:  %[[T4:.+]]:2 = call @layer_fwd{{.*}}(%[[T3]]#0,
// TWO:       return %{{.+}}, %[[X2]], %[[T3]]#0, %[[T3]]#1, %[[T4]]#1 :

// A segment is replayed just before its adjoint, behind the cotangent.
// CHECK-LABEL: func.func private @loss_bwd
// FULL:      %[[D4:.+]]:3 = call @layer_bwd
// FULL-NEXT: %[[IN3:.+]] = tt.remat_barrier %[[K2:.+]] after %[[D4]]#0
// FULL-NEXT: %[[R3:.+]]:2 = call @layer_fwd{{.*}}(%[[IN3]], {{.*}}) {tt.replay}
// FULL-NEXT: %[[D3:.+]]:3 = call @layer_bwd{{.*}}(%[[K2]], {{.*}}, %[[R3]]#1, %[[D4]]#0)
// FULL:      %[[IN2:.+]] = tt.remat_barrier %{{.+}} after %[[D3]]#0
// FULL-NEXT: call @layer_fwd{{.*}}(%[[IN2]]
// FULL-NEXT: %[[D2:.+]]:3 = call @layer_bwd
// The input of the first layer is data; it is guarded too.
// FULL:      %[[IN1:.+]] = tt.remat_barrier %{{.+}} after %[[D2]]#0
// FULL-NEXT: call @layer_fwd{{.*}}(%[[IN1]]
// FULL-NEXT: call @layer_bwd
// FULL-NOT:  tt.remat_barrier
// TWO:       call @layer_bwd
// TWO:       %[[D3:.+]]:3 = call @layer_bwd
// TWO:       %[[IN:.+]] = tt.remat_barrier %{{.+}} after %[[D3]]#0
// TWO-NEXT:  %[[R1:.+]]:2 = call @layer_fwd{{.*}}(%[[IN]],
// TWO-NEXT:  %[[R2:.+]]:2 = call @layer_fwd{{.*}}(%[[R1]]#0,
// TWO-NEXT:  call @layer_bwd{{.*}}(%[[R1]]#0, {{.*}}, %[[R2]]#1, %[[D3]]#0)
// TWO-NOT:   tt.remat_barrier
// CHECK:     return

// NONE-NOT: tt.remat_barrier
// NONE-NOT: tt.replay
