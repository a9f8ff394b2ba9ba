// RUN: tt-opt %s --tt-autodiff --tt-checkpoint=policy=full --cse --split-input-file | FileCheck %s

// A key made in the function costs nothing: forward and backward make it anew from
// the inputs, and no pair keeps it.
func.func private @layer(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %key: tensor<2xi32>) -> tensor<4x8xf32> {
  %h = tt.linear in_out %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %g = tt.gelu tanh %h : tensor<4x8xf32>
  %d = tt.dropout %g, %key p = 0.5 site = 0 samples = 4 : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  return %d : tensor<4x8xf32>
}
func.func @loss(%x: tensor<4x8xf32> {tt.input = "x"}, %w: tensor<8x8xf32> {tt.param = "w"},
                %draw: tensor<i64> {tt.input = "draw"}) -> tensor<f32> {
  %seed = tt.constant dense<17> : tensor<i64>
  %key = tt.rng_key %seed, %draw : (tensor<i64>, tensor<i64>) -> tensor<2xi32>
  %k0 = tt.rng_fold %key site = 3 : tensor<2xi32>
  %0 = call @layer(%x, %w, %k0) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  %k1 = tt.rng_fold %key site = 4 : tensor<2xi32>
  %1 = call @layer(%0, %w, %k1) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  %l = tt.sum %1 dims = [0, 1] : (tensor<4x8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
// CHECK-LABEL: func.func private @loss_fwd
// CHECK-SAME:  -> (tensor<f32>, tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK-LABEL: func.func private @loss_bwd
// CHECK-SAME:  %[[DRAW:arg[0-9]+]]: tensor<i64>
// CHECK:       %[[KEY:.+]] = tt.rng_key %{{.+}}, %[[DRAW]]
// CHECK:       %[[K0:.+]] = tt.rng_fold %[[KEY]] site = 3
// CHECK:       call @layer_fwd{{.*}}(%{{.+}}, %{{.+}}, %[[K0]]) {tt.replay}

// -----

// A key that is computed is kept, and a replay folds it behind a barrier.
func.func private @layer(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %key: tensor<2xi32>) -> tensor<4x8xf32> {
  %h = tt.linear in_out %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %g = tt.gelu tanh %h : tensor<4x8xf32>
  %d = tt.dropout %g, %key p = 0.5 site = 0 samples = 4 : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  return %d : tensor<4x8xf32>
}
func.func @chosen(%x: tensor<4x8xf32> {tt.input = "x"}, %w: tensor<8x8xf32> {tt.param = "w"},
                  %keys: tensor<3x2xi32> {tt.input = "keys"}) -> tensor<f32> {
  %first = tt.slice %keys dim = 0 start = 1 size = 1 : (tensor<3x2xi32>) -> tensor<1x2xi32>
  %key = tt.reshape %first : tensor<1x2xi32> -> tensor<2xi32>
  %k0 = tt.rng_fold %key site = 3 : tensor<2xi32>
  %0 = call @layer(%x, %w, %k0) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  %k1 = tt.rng_fold %key site = 4 : tensor<2xi32>
  %1 = call @layer(%0, %w, %k1) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  %l = tt.sum %1 dims = [0, 1] : (tensor<4x8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
// CHECK-LABEL: func.func private @chosen_bwd
// CHECK:       %[[K0:.+]] = tt.rng_fold %{{.+}} site = 3
// CHECK:       %[[B:.+]] = tt.remat_barrier %[[K0]]
// CHECK:       call @layer_fwd{{.*}}(%{{.+}}, %{{.+}}, %[[B]]) {tt.replay}
