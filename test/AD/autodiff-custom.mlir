// RUN: tt-opt %s --tt-autodiff --split-input-file | FileCheck %s
// RUN: tt-opt %s --tt-drop-gradient-rules --split-input-file | FileCheck %s --check-prefix=DROP

func.func private @forward(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.mul %x, %w : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @rule(%x: tensor<4xf32>, %w: tensor<4xf32>, %y: tensor<4xf32>, %dy: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %dy, %x : tensor<4xf32>, tensor<4xf32>
}

// The forward of the pair is a plain call; the backward calls the rule and takes
// the cotangent of what is differentiated.
// CHECK-LABEL: func.func private @loss_fwd
// CHECK-NOT:     tt.custom_vjp
// CHECK:         %[[Y:.+]] = call @forward(%{{.+}}, %{{.+}}) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-LABEL: func.func private @loss_bwd
// CHECK:         %[[D:.+]]:2 = call @rule(
// CHECK-NEXT:    return %[[D]]#1
// DROP-LABEL:  func.func @loss
// DROP-NEXT:     %[[Y:.+]] = call @forward
// DROP-NEXT:     return %[[Y]]
func.func @loss(%w: tensor<4xf32> {tt.param = "w"}, %x: tensor<4xf32> {tt.input = "x"}) -> tensor<4xf32> {
  %y = tt.custom_vjp @forward(%x, %w) vjp = @rule : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @transforms_fwd
// CHECK-SAME:    (%[[X:.+]]: tensor<4xf32>
// CHECK-NEXT:    return %[[X]]
// CHECK-LABEL: func.func private @transforms_bwd
// CHECK-SAME:    (%[[D:.+]]: tensor<4xf32>)
// CHECK-NEXT:    %[[C:.+]] = tt.clamp %[[D]] low = -1.000000e+00 high = 1.000000e+00
// CHECK-NEXT:    %[[N:.+]] = tt.neg %[[C]]
// CHECK:         %[[S:.+]] = tt.mul %[[N]]
// CHECK-NEXT:    return %[[S]]
// DROP-LABEL:  func.func @transforms
// DROP-SAME:     (%[[X:.+]]: tensor<4xf32>
// DROP-NEXT:     return %[[X]]
func.func @transforms(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  %0 = tt.grad_transform scale 0.5 %x : tensor<4xf32>
  %1 = tt.grad_transform reverse %0 : tensor<4xf32>
  %2 = tt.grad_transform clip 1.0 %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
