// Each stage leaves the form that the next one relies on.
// RUN: tt-opt %s --tt-verify-form=form=graph \
// RUN:   --tt-autodiff --tt-verify-form=form=adjoint \
// RUN:   --tt-build-train-step --tt-verify-form=form=training \
// RUN:   --tt-inference=function=loss --tt-verify-form=form=training \
// RUN:   --tt-form-kernels --tt-verify-form=form=kernels \
// RUN:   --tt-build-step --tt-verify-form=form=step \
// RUN:   --tt-plan-memory --tt-verify-form=form=planned | FileCheck %s
// RUN: not tt-opt %s --tt-verify-form=form=tensors 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tt-opt %s --tt-verify-form=form=step 2>&1 | FileCheck %s --check-prefix=EARLY

// CHECK-COUNT-4: tt.step @
// NAME:          error: expected form to be graph, adjoint, training, kernels, step or planned, but got 'tensors'
// EARLY:         error: step form: expected steps and kernels, found func.func
func.func private @layer(%x: tensor<4x8xf32>, %key: tensor<2xi32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %h = tt.linear in_out %x, %w, %b : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %a = tt.gelu tanh %h : tensor<4x8xf32>
  %y = tt.dropout %a, %key p = 0.1 site = 0 samples = 2 : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
func.func @loss(%ids: tensor<2x2xi32> {tt.input = "tokens"}, %t: tensor<2x2xi32> {tt.input = "targets"},
                %key: tensor<2xi32> {tt.input = "key"}, %table: tensor<65x8xf32> {tt.param = "wte"},
                %w: tensor<8x8xf32> {tt.param = "h.w"}, %b: tensor<8xf32> {tt.param = "h.b"},
                %g: tensor<8xf32> {tt.param = "ln.g", tt.frozen}) -> (tensor<f32> {tt.output = "loss"}) {
  %x0 = tt.embedding %table, %ids : (tensor<65x8xf32>, tensor<2x2xi32>) -> tensor<2x2x8xf32>
  %k0 = tt.rng_fold %key site = 0 : tensor<2xi32>
  %k1 = tt.rng_fold %key site = 1 : tensor<2xi32>
  %x1 = tt.reshape %x0 : tensor<2x2x8xf32> -> tensor<4x8xf32>
  %x2 = call @layer(%x1, %k0, %w, %b) : (tensor<4x8xf32>, tensor<2xi32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %x3 = call @layer(%x2, %k1, %w, %b) : (tensor<4x8xf32>, tensor<2xi32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %x4 = tt.reshape %x3 : tensor<4x8xf32> -> tensor<2x2x8xf32>
  %y, %r = tt.rms_norm %x4, %g eps = 1.0e-5 : (tensor<2x2x8xf32>, tensor<8xf32>) -> (tensor<2x2x8xf32>, tensor<2x2xf32>)
  %z = tt.linear out_in %y, %table : (tensor<2x2x8xf32>, tensor<65x8xf32>) -> tensor<2x2x65xf32>
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<2x2x65xf32>, tensor<2x2xi32>) -> (tensor<f32>, tensor<2x2xf32>)
  return %l : tensor<f32>
}
