// RUN: tt-opt %s --tt-autodiff --tt-checkpoint=policy=none --tt-build-train-step --tt-form-kernels --tt-build-step --tt-count-flops | FileCheck %s --check-prefix=NONE
// RUN: tt-opt %s --tt-autodiff --tt-checkpoint=policy=full --tt-build-train-step --tt-form-kernels --tt-build-step --tt-count-flops | FileCheck %s --check-prefix=FULL

// Claim R8 in small: 3 layers of two linears, 512 flops each. The step has 3 per
// linear; the replay of the first two layers runs their first linear again, and
// not the second: it feeds no adjoint.
// NONE: @train_step total weights 9216 attention 0 flops
// FULL: @train_step total weights 10240 attention 0 flops
func.func private @layer(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %v: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %h = tt.linear in_out %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %g = tt.gelu tanh %h : tensor<4x8xf32>
  %f = tt.linear in_out %g, %v : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %y = tt.add %x, %f : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
func.func @loss(%x: tensor<4x8xf32> {tt.param = "x"}, %w: tensor<8x8xf32> {tt.param = "w"},
                %v: tensor<8x8xf32> {tt.param = "v"}) -> tensor<f32> {
  %0 = call @layer(%x, %w, %v) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = call @layer(%0, %w, %v) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %2 = call @layer(%1, %w, %v) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %s = tt.square %2 : tensor<4x8xf32>
  %l = tt.sum %s dims = [0, 1] : (tensor<4x8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
