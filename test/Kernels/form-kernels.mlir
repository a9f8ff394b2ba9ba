// RUN: tt-opt %s --tt-form-kernels --split-input-file | FileCheck %s

// A chain of elementwise ops is one kernel: one read, one write.
// CHECK-LABEL: func.func @chain
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.call_kernel @square_tanh_neg_0(%[[A0]]) : (tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<4x8xf32>
// CHECK-LABEL: tt.kernel @square_tanh_neg_0
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {anchor = "elementwise", numerics = {}, schedule = {}}
// CHECK-NEXT:    %[[V0:.+]] = tt.square %[[A0]] : tensor<4x8xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.tanh %[[V0]] : tensor<4x8xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.neg %[[V1]] : tensor<4x8xf32>
// CHECK-NEXT:    tt.yield %[[V2]] : tensor<4x8xf32>
func.func @chain(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = tt.square %x : tensor<4x8xf32>
  %b = tt.tanh %a : tensor<4x8xf32>
  %c = tt.neg %b : tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}

// -----

// A product takes its epilogue along; what is read elsewhere is a result too.
// CHECK-LABEL: func.func @epilogue
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x8xf32>, %[[A1:.+]]: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK-NEXT:    %[[V0:.+]]:2 = tt.call_kernel @linear_gelu_0(%[[A0]], %[[A1]]) : (tensor<4x8xf32>, tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK-NEXT:    return %[[V0]]#0, %[[V0]]#1 : tensor<4x8xf32>, tensor<4x8xf32>
// CHECK-LABEL: tt.kernel @linear_gelu_0
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x8xf32>, %[[A1:.+]]: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) attributes {anchor = "matmul", numerics = {k_chunk = 384 : i64}, schedule = {}}
// CHECK-NEXT:    %[[V0:.+]] = tt.linear in_out %[[A0]], %[[A1]] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.gelu tanh %[[V0]] : tensor<4x8xf32>
// CHECK-NEXT:    tt.yield %[[V0]], %[[V1]] : tensor<4x8xf32>, tensor<4x8xf32>
func.func @epilogue(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %h = tt.linear in_out %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %y = tt.gelu tanh %h : tensor<4x8xf32>
  return %h, %y : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// A residual add joins the later of its producers, which is complete by then.
// CHECK-LABEL: func.func @residual
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x8xf32>, %[[A1:.+]]: tensor<8x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.call_kernel @linear_add_0(%[[A0]], %[[A1]]) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<4x8xf32>
func.func @residual(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %h = tt.linear in_out %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %y = tt.add %x, %h : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// A reduction takes in what only it reads.
// CHECK-LABEL: func.func @prologue
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x8xf32>, %[[A1:.+]]: tensor<4x8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.call_kernel @sum_mul_0(%[[A0]], %[[A1]]) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<8xf32>
// CHECK-LABEL: tt.kernel @sum_mul_0
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x8xf32>, %[[A1:.+]]: tensor<4x8xf32>) -> tensor<8xf32> attributes {anchor = "column", numerics = {row_block = 256 : i64}, schedule = {}}
// CHECK-NEXT:    %[[V0:.+]] = tt.mul %[[A0]], %[[A1]] : tensor<4x8xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.sum %[[V0]] dims = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    tt.yield %[[V1]] : tensor<8xf32>
func.func @prologue(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<8xf32> {
  %p = tt.mul %x, %y : tensor<4x8xf32>
  %s = tt.sum %p dims = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
  return %s : tensor<8xf32>
}

// -----

// A product of two readers is written once, not formed twice.
// CHECK-LABEL: func.func @two_readers
// CHECK-COUNT-3: tt.call_kernel
// CHECK-NOT:     tt.call_kernel
func.func @two_readers(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %p = tt.mul %x, %y : tensor<4x8xf32>
  %s = tt.sum %p dims = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
  %r = tt.sum %p dims = [1] : (tensor<4x8xf32>) -> tensor<4xf32>
  return %s, %r : tensor<8xf32>, tensor<4xf32>
}

// -----

// A broadcast and a constant are repeated inside, never stored.
// CHECK-LABEL: func.func @free_ops
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x8xf32>, %[[A1:.+]]: tensor<8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.call_kernel @mul_add_0(%[[A0]], %[[A1]]) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<4x8xf32>
// CHECK-LABEL: tt.kernel @mul_add_0
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x8xf32>, %[[A1:.+]]: tensor<8xf32>) -> tensor<4x8xf32> attributes {anchor = "elementwise", numerics = {}, schedule = {}}
// CHECK-NEXT:    %[[V0:.+]] = tt.broadcast %[[A1]] dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.mul %[[A0]], %[[V0]] : tensor<4x8xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.constant dense<5.000000e-01> : tensor<4x8xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.add %[[V1]], %[[V2]] : tensor<4x8xf32>
// CHECK-NEXT:    tt.yield %[[V3]] : tensor<4x8xf32>
func.func @free_ops(%x: tensor<4x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %c = tt.constant dense<0.5> : tensor<4x8xf32>
  %wide = tt.broadcast %g dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
  %a = tt.mul %x, %wide : tensor<4x8xf32>
  %b = tt.add %a, %c : tensor<4x8xf32>
  return %b : tensor<4x8xf32>
}

// -----

// A row statistic is complete only when its row is: its reader is a kernel of
// its own.
// CHECK-LABEL: func.func @statistic
// CHECK-COUNT-2: tt.call_kernel
// CHECK-NOT:     tt.call_kernel
func.func @statistic(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %m = tt.mean %x dims = [1] : (tensor<4x8xf32>) -> tensor<4xf32>
  %wide = tt.broadcast %m dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
  %c = tt.sub %x, %wide : tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}

// -----

// Joining must not move a result behind its reader: %b reads %a before %c does,
// so %c joins the softmax and not the exp.
// CHECK-LABEL: func.func @order
// CHECK:         %[[A:.+]] = tt.call_kernel @exp_{{[0-9]+}}(
// CHECK:         %[[B:.+]] = tt.call_kernel @softmax_bwd_{{[0-9]+}}(%[[A]])
// CHECK:         tt.call_kernel @softmax_add_{{[0-9]+}}(%[[B]], %[[A]])
func.func @order(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = tt.exp %x : tensor<4x8xf32>
  %b = tt.softmax_bwd %a, %a : tensor<4x8xf32>
  %s = tt.softmax %b : tensor<4x8xf32>
  %c = tt.add %a, %s : tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}

// -----

// Views, concat and calls stay outside.
// CHECK-LABEL: func.func @outside
// CHECK-NEXT:    %[[T:.+]] = tt.transpose
// CHECK-NEXT:    %[[R:.+]] = tt.reshape %[[T]]
// CHECK-NEXT:    %[[S:.+]] = tt.slice %[[R]]
// CHECK-NEXT:    %[[N:.+]] = tt.call_kernel @neg_0(%[[S]])
// CHECK-NEXT:    %[[C:.+]] = tt.concat %[[N]], %[[S]]
// CHECK-NEXT:    %[[G:.+]] = tt.stop_gradient %[[C]]
// CHECK-NEXT:    return %[[G]]
func.func @outside(%x: tensor<4x8xf32>) -> tensor<16xf32> {
  %t = tt.transpose %x permutation = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %r = tt.reshape %t : tensor<8x4xf32> -> tensor<32xf32>
  %s = tt.slice %r dim = 0 start = 0 size = 8 : (tensor<32xf32>) -> tensor<8xf32>
  %n = tt.neg %s : tensor<8xf32>
  %c = tt.concat %n, %s dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  %g = tt.stop_gradient %c : tensor<16xf32>
  return %g : tensor<16xf32>
}

// -----

// Equal bodies of different functions are one kernel; nothing is fused across
// a call.
// CHECK-LABEL: func.func private @a
// CHECK:         tt.call_kernel @[[$LAYER:linear_[0-9]+]](
// CHECK-LABEL: func.func private @b
// CHECK:         tt.call_kernel @[[$LAYER]](
// CHECK-LABEL: func.func @caller
// CHECK:         call @a
// CHECK:         tt.call_kernel @[[$TANH:tanh_[0-9]+]](
// CHECK:         call @b
// CHECK:         tt.call_kernel @[[$TANH]](
// CHECK-COUNT-2: tt.kernel
// CHECK-NOT:     tt.kernel
func.func private @a(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = tt.linear in_out %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
func.func private @b(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = tt.linear in_out %w, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
func.func @caller(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = call @a(%x, %w) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = tt.tanh %0 : tensor<8x8xf32>
  %2 = call @b(%1, %w) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = tt.tanh %2 : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// -----

// A function of the kernel's name keeps it.
// CHECK-LABEL: func.func private @neg_0
// CHECK-LABEL: func.func @named
// CHECK:         tt.call_kernel @neg_1(
// CHECK:         tt.kernel @neg_1(
func.func private @neg_0(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @named(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.neg %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
