// RUN: split-file %s %t
// RUN: not tt-opt %t/pair.mlir --tt-autodiff --tt-checkpoint=policy=some 2>&1 | FileCheck %s --check-prefix=POLICY
// RUN: not tt-opt %t/pair.mlir --tt-autodiff --tt-checkpoint="policy=full segments=2" 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not tt-opt %t/pair.mlir --tt-autodiff --tt-checkpoint=segments=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tt-opt %t/pair.mlir --tt-autodiff --tt-checkpoint=segments=3 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not tt-opt %t/pair.mlir --tt-checkpoint 2>&1 | FileCheck %s --check-prefix=PAIR
// RUN: not tt-opt %t/pair.mlir --tt-autodiff --tt-checkpoint=function=layer_2 2>&1 | FileCheck %s --check-prefix=PAIR
// RUN: tt-opt %t/flat.mlir --tt-autodiff --tt-checkpoint 2>&1 | FileCheck %s --check-prefix=FLAT
// RUN: not tt-opt %t/caller.mlir --tt-checkpoint=policy=full 2>&1 | FileCheck %s --check-prefix=CALLER

// POLICY: error: expected policy to be none, full or sqrt, but got 'some'
// FULL: error: expected policy=sqrt with segments=2, but got 'full'
// NEGATIVE: error: expected segments to be 0 or more, but got -1
// MANY: error: expected at most as many segments as @loss has layer calls, 2, but got 3
// PAIR: error: expected a function with an adjoint pair as left by tt-autodiff
// FLAT: remark: nothing to recompute: expected at least two calls of layers in @loss, found 0
// CALLER: error: {{.*}}expected @loss_fwd and @loss_bwd to be called once each

//--- pair.mlir
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.tanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @loss(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<f32> {
  %0 = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @layer(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %l = tt.sum %1 dims = [0] : (tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

//--- flat.mlir
func.func @loss(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<f32> {
  %y = tt.tanh %x : tensor<4xf32>
  %l = tt.sum %y dims = [0] : (tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

//--- caller.mlir
// @peek reads a residual that is dropped.
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.tanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @layer_fwd(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.tanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @layer_bwd(%y: tensor<4xf32>, %dy: tensor<4xf32>) -> tensor<4xf32>
    attributes {tt.adjoint = {primal = @layer, forward = @layer_fwd, active = array<i64: 0>,
                              live = array<i64: 0>, residuals = ["result:0"]}} {
  %dx = tt.mul %y, %dy : tensor<4xf32>
  return %dx : tensor<4xf32>
}
func.func @loss(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  %0 = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @layer(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @loss_fwd(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = call @layer_fwd(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @layer_fwd(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %0 : tensor<4xf32>, tensor<4xf32>
}
func.func private @loss_bwd(%1: tensor<4xf32>, %0: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32>
    attributes {tt.adjoint = {primal = @loss, forward = @loss_fwd, active = array<i64: 0>,
                              live = array<i64: 0>, residuals = ["result:0", "extra:0"]}} {
  %2 = call @layer_bwd(%1, %d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = call @layer_bwd(%0, %2) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
func.func @peek(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = call @loss_fwd(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#1 : tensor<4xf32>
}
