// RUN: tt-compile %s --loss-chunks=2 --emit=adjoint | FileCheck %s --check-prefix=ADJOINT
// RUN: tt-compile %s --loss-chunks=2 --emit=kernels | FileCheck %s --check-prefix=KERNELS
// RUN: tt-compile %s --emit=kernels | FileCheck %s --check-prefix=WHOLE
// RUN: not tt-compile %s --loss-chunks=2000 --emit=kernels 2>&1 | FileCheck %s --check-prefix=BOUND

// The loss and its adjoint are joined with the head.
// ADJOINT: tt.linear_cross_entropy mean out_in
// ADJOINT: tt.linear_cross_entropy_bwd mean out_in

// Logits and their cotangents exist for four of the eight rows at a time, in
// every entry.
// KERNELS-NOT: 8x65xf32
// KERNELS:     tensor<4x65xf32>
// KERNELS-NOT: 8x65xf32
// WHOLE:       tensor<8x65xf32>

// BOUND: error: --loss-chunks: found 2000, wanted a whole number in [0, 1024]
func.func @loss(%e: tensor<65x16xf32> {tt.param = "e"}, %i: tensor<8xi32> {tt.input = "i", tt.index_limit = 65}, %t: tensor<8xi32> {tt.input = "t", tt.index_limit = 65}) -> (tensor<f32> {tt.output = "loss"}) {
  %h = tt.embedding %e, %i : (tensor<65x16xf32>, tensor<8xi32>) -> tensor<8x16xf32>
  %g = tt.gelu tanh %h : tensor<8x16xf32>
  %z = tt.linear out_in %g, %e : (tensor<8x16xf32>, tensor<65x16xf32>) -> tensor<8x65xf32>
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<8x65xf32>, tensor<8xi32>) -> (tensor<f32>, tensor<8xf32>)
  return %l : tensor<f32>
}
