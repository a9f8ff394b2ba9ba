// RUN: tt-opt %s --tt-autodiff --tt-build-train-step --split-input-file | FileCheck %s
// RUN: tt-opt %s --tt-autodiff --tt-build-train-step="weight-decay=0.25 beta1=0.5 beta2=0.75 eps=0.125 clip-norm=0 decay=all" --split-input-file | FileCheck %s --check-prefix=OPTIONS
// RUN: tt-opt %s --tt-autodiff --tt-build-train-step="weight-decay=0.25 decay=re:^h[.]w" --split-input-file | FileCheck %s --check-prefix=REGEX
// RUN: tt-opt %s --tt-autodiff --tt-build-train-step="weight-decay=0.25 decay=none" --split-input-file | FileCheck %s --check-prefix=NONE

// Arguments in f's order without the key, then step, seed, learning_rate and
// the moments of each trainable parameter.
// CHECK-LABEL: func.func @train_step
// CHECK-SAME:    (%[[X:.+]]: tensor<4x8xf32> {tt.input = "x"}, %[[W:.+]]: tensor<8x8xf32> {tt.param = "h.w"}
// CHECK-SAME:    %[[B:.+]]: tensor<8xf32> {tt.param = "h.b"}, %[[G:.+]]: tensor<8xf32> {tt.frozen, tt.param = "g"}
// CHECK-SAME:    %[[STEP:.+]]: tensor<i64> {tt.input = "step"}, %[[SEED:.+]]: tensor<i64> {tt.input = "seed"}
// CHECK-SAME:    %[[LR:.+]]: tensor<f32> {tt.input = "learning_rate"}
// CHECK-SAME:    %[[MW:.+]]: tensor<8x8xf32> {tt.state = "adam.m.h.w"}, %[[VW:.+]]: tensor<8x8xf32> {tt.state = "adam.v.h.w"}
// CHECK-SAME:    %[[MB:.+]]: tensor<8xf32> {tt.state = "adam.m.h.b"}, %[[VB:.+]]: tensor<8xf32> {tt.state = "adam.v.h.b"}
// No state and no result for the frozen parameter.
// CHECK-NOT:     adam.m.g
// CHECK-SAME:    {tt.updates = "h.w"}, tensor<8x8xf32> {tt.updates = "adam.m.h.w"}, tensor<8x8xf32> {tt.updates = "adam.v.h.w"}
// CHECK-SAME:    {tt.updates = "h.b"}
// CHECK-SAME:    tensor<f32> {tt.output = "loss"}, tensor<f32> {tt.output = "grad_norm"}, tensor<f32> {tt.output = "clip"}, tensor<i32> {tt.output = "skipped"})
// Order: key, forward, seed of 1, backward, norm, updates.
// CHECK:         %[[KEY:.+]] = tt.rng_key %[[SEED]], %[[STEP]]
// CHECK:         %[[FWD:.+]]:{{.+}} = call @loss_fwd(%[[X]], %[[KEY]], %[[W]], %[[B]], %[[G]])
// CHECK:         %[[ONE:.+]] = tt.constant dense<1.000000e+00> : tensor<f32>
// CHECK:         %[[D:.+]]:2 = call @loss_bwd({{.*}}, %[[ONE]])
// CHECK:         %[[SW:.+]] = tt.sum_squares %[[D]]#0
// CHECK:         %[[SB:.+]] = tt.sum_squares %[[D]]#1
// CHECK:         %[[NORM:.+]], %[[CLIP:.+]], %[[SKIPPED:.+]] = tt.global_norm %[[SW]], %[[SB]] max_norm = 1.000000e+00
// A matrix decays, a bias does not (decay=rank2).
// CHECK:         %[[W1:.+]], %[[MW1:.+]], %[[VW1:.+]] = tt.adamw %[[W]], %[[D]]#0, %[[MW]], %[[VW]], %[[LR]], %[[STEP]], %[[CLIP]], %[[SKIPPED]] beta1 = 9.000000e-01 beta2 = 0.94999999999999996 eps = 1.000000e-08 weight_decay = 1.000000e-01
// CHECK:         tt.adamw %[[B]], %[[D]]#1, %[[MB]], %[[VB]], %[[LR]], %[[STEP]], %[[CLIP]], %[[SKIPPED]] {{.*}} weight_decay = 0.000000e+00
// CHECK:         return %[[W1]], %[[MW1]], %[[VW1]], {{.*}} %[[FWD]]#0, %[[NORM]], %[[CLIP]], %[[SKIPPED]]

// CHECK-LABEL: func.func @grad
// CHECK-NOT:     learning_rate
// CHECK-NOT:     tt.state
// CHECK-SAME:    -> (tensor<f32> {tt.output = "loss"}, tensor<8x8xf32> {tt.output = "grad:h.w"}, tensor<8xf32> {tt.output = "grad:h.b"})
// CHECK:         return %[[F:.+]]#0, %[[D2:.+]]#0, %[[D2]]#1

// OPTIONS:       tt.global_norm {{.*}} max_norm = 0.000000e+00
// OPTIONS-COUNT-2: beta1 = 5.000000e-01 beta2 = 7.500000e-01 eps = 1.250000e-01 weight_decay = 2.500000e-01
// REGEX:         weight_decay = 2.500000e-01
// REGEX:         weight_decay = 0.000000e+00
// NONE-COUNT-2:  weight_decay = 0.000000e+00
func.func @loss(%x: tensor<4x8xf32> {tt.input = "x"}, %key: tensor<2xi32> {tt.input = "key"},
                %w: tensor<8x8xf32> {tt.param = "h.w"}, %b: tensor<8xf32> {tt.param = "h.b"},
                %g: tensor<8xf32> {tt.param = "g", tt.frozen}) -> tensor<f32> {
  %h = tt.linear in_out %x, %w, %b : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %d = tt.dropout %h, %key p = 0.1 site = 0 samples = 4 : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  %y, %r = tt.rms_norm %d, %g eps = 1.0e-5 : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>)
  %l = tt.mean %y dims = [0, 1] : (tensor<4x8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
