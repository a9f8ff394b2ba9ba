// RUN: tt-opt %s --tt-expand-repeat | FileCheck %s
// RUN: tt-opt %s --tt-expand-repeat --tt-autodiff | FileCheck %s --check-prefix=ADJOINT

// Each turn calls the layer with its slice, which is a view, and its own key.
// CHECK-LABEL: func.func @loss
// CHECK-SAME:    (%[[W:.+]]: tensor<2x4xf32> {{.*}}, %[[X:.+]]: tensor<4xf32> {{.*}}, %[[K:.+]]: tensor<2xi32> {{.*}})
// CHECK-NEXT:    %[[S0:.+]] = tt.slice %[[W]] dim = 0 start = 0 size = 1
// CHECK-NEXT:    %[[W0:.+]] = tt.reshape %[[S0]] : tensor<1x4xf32> -> tensor<4xf32>
// CHECK-NEXT:    %[[K0:.+]] = tt.rng_fold %[[K]] site = 0
// CHECK-NEXT:    %[[Y0:.+]] = call @layer(%[[X]], %[[W0]], %[[X]], %[[K0]])
// CHECK-NEXT:    %[[S1:.+]] = tt.slice %[[W]] dim = 0 start = 1 size = 1
// CHECK-NEXT:    %[[W1:.+]] = tt.reshape %[[S1]] : tensor<1x4xf32> -> tensor<4xf32>
// CHECK-NEXT:    %[[K1:.+]] = tt.rng_fold %[[K]] site = 1
// CHECK-NEXT:    %[[Y1:.+]] = call @layer(%[[Y0]], %[[W1]], %[[X]], %[[K1]])
// CHECK-NEXT:    return %[[Y1]]

// The slices' gradients become one concat; nothing is padded and added.
// ADJOINT-LABEL: func.func private @loss_bwd
// ADJOINT-NOT:     tt.pad
// ADJOINT-NOT:     tt.add
// ADJOINT:         tt.concat %{{.+}}, %{{.+}} dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
// ADJOINT-NOT:     tt.pad
// ADJOINT:         return
func.func private @layer(%x: tensor<4xf32>, %w: tensor<4xf32>, %m: tensor<4xf32>, %k: tensor<2xi32>) -> tensor<4xf32> {
  %y = tt.mul %x, %w : tensor<4xf32>
  %z = tt.mul %y, %m : tensor<4xf32>
  %d = tt.dropout %z, %k p = 0.5 site = 0 samples = 1 : (tensor<4xf32>, tensor<2xi32>) -> tensor<4xf32>
  return %d : tensor<4xf32>
}
func.func @loss(%w: tensor<2x4xf32> {tt.param = "w"}, %x: tensor<4xf32> {tt.input = "x"}, %k: tensor<2xi32> {tt.input = "key"}) -> tensor<4xf32> {
  %y = tt.repeat @layer count = 2 carried(%x) stacked(%w) shared(%x) key(%k) : (tensor<4xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<2xi32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
