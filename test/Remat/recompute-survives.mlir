// RUN: tt-opt %s --canonicalize --cse --tt-autodiff --canonicalize --cse --tt-checkpoint="policy=sqrt segments=2" --tt-build-train-step --canonicalize --cse --tt-form-kernels --canonicalize --cse --tt-build-step | FileCheck %s

// RF-24 in small: in the flat step forward and replay stand in one list. The
// replay is there, and comes after the adjoint of the segment behind it.
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.tanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @loss(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<f32> {
  %0 = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @layer(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @layer(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = call @layer(%2) : (tensor<4xf32>) -> tensor<4xf32>
  %l = tt.sum %3 dims = [0] : (tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
// CHECK-LABEL:   tt.step @grad
// CHECK-COUNT-4: tt.launch @tanh
// CHECK-NOT:     tt.launch @tanh
// CHECK-COUNT-2: tt.launch @mul_sub_mul
// CHECK-COUNT-2: tt.launch @tanh
// CHECK-COUNT-2: tt.launch @mul_sub_mul
// CHECK-NOT:     tt.launch @tanh
// CHECK:         tt.yield
