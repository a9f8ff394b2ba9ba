// RUN: tt-opt %s --canonicalize --cse | FileCheck %s

// A clone behind a barrier is not merged with the original.
// CHECK-LABEL: func.func @clone_stays
// CHECK:         tt.exp
// CHECK:         tt.remat_barrier
// CHECK:         tt.exp
func.func @clone_stays(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = tt.exp %x : tensor<4xf32>
  %late = tt.remat_barrier %x after %dy : tensor<4xf32>, tensor<4xf32>
  %again = tt.exp %late : tensor<4xf32>
  %dx = tt.mul %dy, %again : tensor<4xf32>
  return %y, %dx : tensor<4xf32>, tensor<4xf32>
}

// A dead clone dies with its barrier.
// CHECK-LABEL: func.func @dead_clone
// CHECK-NEXT:    return
func.func @dead_clone(%x: tensor<4xf32>, %dy: tensor<4xf32>) {
  %late = tt.remat_barrier %x after %dy : tensor<4xf32>, tensor<4xf32>
  %again = tt.exp %late : tensor<4xf32>
  return
}

// stop_gradient says something to AD, so it stays.
// CHECK-LABEL: func.func @stop_gradient
// CHECK:         tt.stop_gradient
func.func @stop_gradient(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.stop_gradient %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
