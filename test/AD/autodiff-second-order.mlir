// RUN: tt-opt %s --tt-autodiff="function=layer wrt=all" --tt-autodiff="function=layer_bwd wrt=all mode=jvp" --split-input-file | FileCheck %s

// The adjoint op has no rules: it is decomposed where it is differentiated again,
// and the op with rules is not.
// CHECK-LABEL: func.func private @layer_fwd
// CHECK:         tt.softmax
// CHECK:         tt.gelu
// CHECK-LABEL: func.func private @layer_bwd
// CHECK:         tt.gelu_bwd
// CHECK-NOT:     tt.softmax_bwd
// CHECK-LABEL: func.func private @layer_bwd_jvp
// CHECK-NOT:     tt.softmax_bwd
func.func @layer(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %p = tt.softmax %x : tensor<4x8xf32>
  %y = tt.gelu erf %p : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Statistics of a norm carry cotangents, alone and beside the output's.
// CHECK-LABEL: func.func private @layer_bwd
// CHECK-SAME:    %[[DM:[^:]+]]: tensor<4xf32>) -> tensor<4x8xf32>
// CHECK:         %[[C:.+]] = tt.constant dense<1.250000e-01>
// CHECK:         %[[M:.+]] = tt.mul %[[DM]], %[[C]]
// CHECK-NEXT:    %[[B:.+]] = tt.broadcast %[[M]] dims = [0]
// CHECK-NEXT:    return %[[B]]
func.func @layer(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %g = tt.constant dense<1.0> : tensor<8xf32>
  %y, %m, %r = tt.layer_norm %x, %g eps = 1.0e-5 : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return %m : tensor<4xf32>
}
