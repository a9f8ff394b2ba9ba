// RUN: tt-opt %s --tt-autodiff --split-input-file | FileCheck %s

// LoRA on twelve calls of one layer: the first call's input is not active, the
// others' are. Exactly two adjoints, and none has a gradient for the frozen
// weight.
// CHECK:         func.func private @layer_bwd_1(
// CHECK-SAME:    -> (tensor<4x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>)
// CHECK-SAME:    active = array<i64: 0, 2, 3>
// CHECK-NOT:     func.func private @layer_bwd_
// CHECK:         func.func private @layer_bwd(
// CHECK-SAME:    -> (tensor<8x2xf32>, tensor<2x8xf32>)
// CHECK-SAME:    active = array<i64: 2, 3>
// CHECK-NOT:     func.func private @layer_bwd_
// CHECK:         func.func private @f_bwd(
// CHECK-COUNT-11: call @layer_bwd_1(
// CHECK-NEXT:    call @layer_bwd(
// CHECK-NOT:     call @layer_bwd
func.func private @layer(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %a: tensor<8x2xf32>, %b: tensor<2x8xf32>) -> tensor<4x8xf32> {
  %h = tt.linear in_out %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %d = tt.linear in_out %x, %a : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %u = tt.linear in_out %d, %b : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %y = tt.add %h, %u : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
func.func @f(%x0: tensor<4x8xf32> {tt.input = "x"}, %w: tensor<8x8xf32> {tt.param = "w", tt.frozen},
             %a: tensor<8x2xf32> {tt.param = "a"}, %b: tensor<2x8xf32> {tt.param = "b"}) -> tensor<4x8xf32> {
  %x1 = call @layer(%x0, %w, %a, %b) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %x2 = call @layer(%x1, %w, %a, %b) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %x3 = call @layer(%x2, %w, %a, %b) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %x4 = call @layer(%x3, %w, %a, %b) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %x5 = call @layer(%x4, %w, %a, %b) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %x6 = call @layer(%x5, %w, %a, %b) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %x7 = call @layer(%x6, %w, %a, %b) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %x8 = call @layer(%x7, %w, %a, %b) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %x9 = call @layer(%x8, %w, %a, %b) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %x10 = call @layer(%x9, %w, %a, %b) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %x11 = call @layer(%x10, %w, %a, %b) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %x12 = call @layer(%x11, %w, %a, %b) : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  return %x12 : tensor<4x8xf32>
}

// -----

// The lower half of the parameters frozen: the forward of a call whose
// operands are not active is the primal itself, and its adjoint is not built.
// CHECK-LABEL: func.func private @half_fwd
// CHECK:         call @dense(
// CHECK-NEXT:    call @dense_fwd(
// CHECK-LABEL: func.func private @half_bwd
// CHECK-COUNT-1: call @dense_bwd(
// CHECK-NOT:     call
// CHECK:         return
func.func private @dense(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %y = tt.linear in_out %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
func.func @half(%x: tensor<4x8xf32> {tt.input = "x"}, %w: tensor<8x8xf32> {tt.param = "w", tt.frozen},
                %v: tensor<8x8xf32> {tt.param = "v"}) -> tensor<4x8xf32> {
  %0 = call @dense(%x, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = call @dense(%0, %v) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// One parameter in two calls: its cotangents are added once, last call first.
// CHECK-LABEL: func.func private @tied_bwd
// CHECK:         %[[LAST:.+]]:2 = call @dense_bwd_1(
// CHECK:         %[[FIRST:.+]] = call @dense_bwd(
// CHECK:         %[[SUM:.+]] = tt.add %[[LAST]]#1, %[[FIRST]]
// CHECK-NEXT:    return %[[SUM]]
func.func private @dense(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %y = tt.linear in_out %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
func.func @tied(%x: tensor<4x8xf32> {tt.input = "x"}, %w: tensor<8x8xf32> {tt.param = "w"}) -> tensor<4x8xf32> {
  %0 = call @dense(%x, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = call @dense(%0, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// A tied head: the table's cotangent is the head's product plus the lookup's
// scatter, in the order of the reverse sweep.
// CHECK-LABEL: func.func private @tied_head_bwd
// CHECK:         %[[HEAD:.+]] = tt.matmul
// CHECK:         %[[ROWS:.+]] = tt.embedding_bwd
// CHECK:         %[[SUM:.+]] = tt.add %[[HEAD]], %[[ROWS]]
// CHECK-NEXT:    return %[[SUM]]
func.func @tied_head(%ids: tensor<4xi32> {tt.input = "ids"}, %table: tensor<65x8xf32> {tt.param = "table"}) -> tensor<4x65xf32> {
  %x = tt.embedding %table, %ids : (tensor<65x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  %z = tt.linear out_in %x, %table : (tensor<4x8xf32>, tensor<65x8xf32>) -> tensor<4x65xf32>
  return %z : tensor<4x65xf32>
}

// -----

// A result that nothing uses has no cotangent: the second half of @two has no
// adjoint.
// CHECK-LABEL: func.func private @two_bwd
// CHECK-SAME:    live = array<i64: 0>
// CHECK-NOT:     tt.exp
// CHECK:         return
func.func private @two(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = tt.square %x : tensor<4xf32>
  %b = tt.exp %x : tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}
func.func @unused_result(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  %a, %b = call @two(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %a : tensor<4xf32>
}

// -----

// Names: @f_fwd and @f_bwd, numbered when they are taken.
// CHECK:         func.func private @f_fwd_1(
// CHECK:         func.func private @f_bwd(
// CHECK-SAME:    forward = @f_fwd_1
func.func @f(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  %a = call @f_fwd(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}
func.func private @f_fwd(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = tt.neg %x : tensor<4xf32>
  return %a : tensor<4xf32>
}
