// RUN: tt-opt %s --tt-autodiff="mode=jvp wrt=all" --split-input-file | FileCheck %s

// The arguments, then the tangents of the active ones; the results, then theirs.
// CHECK-LABEL: func.func private @mul_jvp
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>, %[[A2:.+]]: tensor<4xf32>, %[[A3:.+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {tt.tangent = {active = array<i64: 0, 1>, primal = @mul, results = array<i64: 0>}}
// CHECK-NEXT:    %[[V0:.+]] = tt.mul %[[A0]], %[[A1]] : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.mul %[[A2]], %[[A1]] : tensor<4xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.mul %[[A3]], %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.add %[[V1]], %[[V2]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V0]], %[[V3]] : tensor<4xf32>, tensor<4xf32>
func.func @mul(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %z = tt.mul %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @exp_jvp
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {tt.tangent = {active = array<i64: 0>, primal = @exp, results = array<i64: 0>}}
// CHECK-NEXT:    %[[V0:.+]] = tt.exp %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.mul %[[A1]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @exp(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = tt.exp %x : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @linear_jvp
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x8xf32>, %[[A1:.+]]: tensor<8x2xf32>, %[[A2:.+]]: tensor<2xf32>, %[[A3:.+]]: tensor<4x8xf32>, %[[A4:.+]]: tensor<8x2xf32>, %[[A5:.+]]: tensor<2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) attributes {tt.tangent = {active = array<i64: 0, 1, 2>, primal = @linear, results = array<i64: 0>}}
// CHECK-NEXT:    %[[V0:.+]] = tt.linear in_out %[[A0]], %[[A1]], %[[A2]] : (tensor<4x8xf32>, tensor<8x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.linear in_out %[[A3]], %[[A1]] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.linear in_out %[[A0]], %[[A4]] : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.add %[[V1]], %[[V2]] : tensor<4x2xf32>
// CHECK-NEXT:    %[[V4:.+]] = tt.broadcast %[[A5]] dims = [1] : tensor<2xf32> -> tensor<4x2xf32>
// CHECK-NEXT:    %[[V5:.+]] = tt.add %[[V3]], %[[V4]] : tensor<4x2xf32>
// CHECK-NEXT:    return %[[V0]], %[[V5]] : tensor<4x2xf32>, tensor<4x2xf32>
func.func @linear(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<4x2xf32> {
  %y = tt.linear in_out %x, %w, %b : (tensor<4x8xf32>, tensor<8x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// An integer result has no tangent; a value with a symbolic zero costs nothing.
// CHECK-LABEL: func.func private @max_jvp
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x8xf32>, %[[A1:.+]]: tensor<4xi32>, %[[A2:.+]]: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4xf32>) attributes {tt.tangent = {active = array<i64: 0>, primal = @max, results = array<i64: 0>}}
// CHECK-NEXT:    %[[V0:.+]], %[[V1:.+]] = tt.max %[[A0]] dim = 1 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi32>)
// CHECK-NEXT:    %[[V2:.+]] = tt.iota dim = 1 : tensor<4x8xi32>
// CHECK-NEXT:    %[[V3:.+]] = tt.broadcast %[[V1]] dims = [0] : tensor<4xi32> -> tensor<4x8xi32>
// CHECK-NEXT:    %[[V4:.+]] = tt.compare eq %[[V2]], %[[V3]] : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
// CHECK-NEXT:    %[[V5:.+]] = tt.constant dense<0.000000e+00> : tensor<4x8xf32>
// CHECK-NEXT:    %[[V6:.+]] = tt.select %[[V4]], %[[A2]], %[[V5]] : tensor<4x8xi1>, tensor<4x8xf32>
// CHECK-NEXT:    %[[V7:.+]] = tt.sum %[[V6]] dims = [1] : (tensor<4x8xf32>) -> tensor<4xf32>
// CHECK-NEXT:    return %[[V0]], %[[V1]], %[[V7]] : tensor<4xf32>, tensor<4xi32>, tensor<4xf32>
func.func @max(%x: tensor<4x8xf32>, %n: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %m, %i = tt.max %x dim = 1 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi32>)
  return %m, %i : tensor<4xf32>, tensor<4xi32>
}

// -----

// The same mask on the tangent.
// CHECK-LABEL: func.func private @dropout_jvp
// CHECK-SAME:    (%[[A0:.+]]: tensor<2x8xf32>, %[[A1:.+]]: tensor<2xi32>, %[[A2:.+]]: tensor<2x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xf32>) attributes {tt.tangent = {active = array<i64: 0>, primal = @dropout, results = array<i64: 0>}}
// CHECK-NEXT:    %[[V0:.+]] = tt.dropout %[[A0]], %[[A1]] p = 1.000000e-01 site = 3 samples = 2 : (tensor<2x8xf32>, tensor<2xi32>) -> tensor<2x8xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.dropout %[[A2]], %[[A1]] p = 1.000000e-01 site = 3 samples = 2 : (tensor<2x8xf32>, tensor<2xi32>) -> tensor<2x8xf32>
// CHECK-NEXT:    return %[[V0]], %[[V1]] : tensor<2x8xf32>, tensor<2x8xf32>
func.func @dropout(%x: tensor<2x8xf32>, %key: tensor<2xi32>) -> tensor<2x8xf32> {
  %y = tt.dropout %x, %key p = 0.1 site = 3 samples = 2 : (tensor<2x8xf32>, tensor<2xi32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}

// -----

// stop_gradient stops a tangent.
// CHECK-LABEL: func.func private @stopped_jvp
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) attributes {tt.tangent = {active = array<i64: 0>, primal = @stopped, results = array<i64: 1>}}
// CHECK-NEXT:    %[[V0:.+]] = tt.stop_gradient %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.neg %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.neg %[[A1]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V0]], %[[V1]], %[[V2]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @stopped(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = tt.stop_gradient %x : tensor<4xf32>
  %z = tt.neg %x : tensor<4xf32>
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// -----

// Through calls, one tangent function per callee and active operands.
// CHECK:         func.func private @layer_jvp(
// CHECK-NOT:     func.func private @layer_jvp_
// CHECK:         func.func private @layers_jvp(
// CHECK:         %[[A:.+]]:2 = call @layer_jvp(
// CHECK-NEXT:    %[[B:.+]]:2 = call @layer_jvp(%[[A]]#0, %[[A]]#1)
// CHECK-NEXT:    return %[[B]]#0, %[[B]]#1
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.tanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @layers(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @layer(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
