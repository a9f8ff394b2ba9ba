// RUN: tt-opt %s --tt-autodiff --tt-checkpoint=policy=full | FileCheck %s
// RUN: tt-opt %s --tt-autodiff --tt-checkpoint=policy=full --canonicalize --cse | FileCheck %s

// A replay draws the mask of the forward: it folds the same site into the same
// key. %s is made before the chain and read by both layers: it is kept once.
func.func private @layer(%x: tensor<4x8xf32>, %s: tensor<4x8xf32>, %w: tensor<8x8xf32>,
                         %key: tensor<2xi32>) -> tensor<4x8xf32> {
  %h = tt.linear in_out %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %g = tt.gelu tanh %h : tensor<4x8xf32>
  %d = tt.dropout %g, %key p = 0.5 site = 0 samples = 4 : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  %y = tt.add %d, %s : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
func.func @loss(%x: tensor<4x8xf32> {tt.input = "x"}, %w: tensor<8x8xf32> {tt.param = "w"},
                %key: tensor<2xi32> {tt.input = "key"}) -> tensor<f32> {
  %s = tt.sigmoid %x : tensor<4x8xf32>
  %k0 = tt.rng_fold %key site = 3 : tensor<2xi32>
  %0 = call @layer(%x, %s, %w, %k0) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  %k1 = tt.rng_fold %key site = 4 : tensor<2xi32>
  %1 = call @layer(%0, %s, %w, %k1) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  %k2 = tt.rng_fold %key site = 5 : tensor<2xi32>
  %2 = call @layer(%1, %s, %w, %k2) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  %l = tt.sum %2 dims = [0, 1] : (tensor<4x8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// CHECK-LABEL: func.func private @loss_fwd
// CHECK:       %[[S:.+]] = tt.sigmoid
// CHECK:       %[[X1:.+]] = call @layer(
// CHECK:       %[[X2:.+]] = call @layer(
// CHECK:       %[[T:.+]]:2 = call @layer_fwd
// CHECK:       return %{{.+}}, %[[X1]], %[[X2]], %[[T]]#1, %[[S]] :

// CHECK-LABEL: func.func private @loss_bwd
// CHECK-SAME:  %[[KEY:arg[0-9]+]]: tensor<2xi32>
// CHECK-DAG:   tt.rng_fold %[[KEY]] site = 5
// CHECK-DAG:   %[[K1:.+]] = tt.rng_fold %[[KEY]] site = 4
// CHECK:       %[[R:.+]]:2 = call @layer_fwd{{.*}}(%{{.+}}, %{{.+}}, %{{.+}}, %[[K1]]) {tt.replay}
// CHECK:       call @layer_bwd{{.*}}(%{{.+}}, %{{.+}}, %[[R]]#1, %[[K1]], %{{.+}})
// CHECK:       %[[K0:.+]] = tt.rng_fold %[[KEY]] site = 3
// CHECK:       call @layer_fwd{{.*}}(%{{.+}}, %{{.+}}, %{{.+}}, %[[K0]]) {tt.replay}
// CHECK-NOT:   tt.rng_fold
// CHECK:       return
