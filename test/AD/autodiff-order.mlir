// RUN: tt-opt %s --tt-autodiff=wrt=all --split-input-file | FileCheck %s

// What the rules of order, indexing and rounding read and emit.

// CHECK-LABEL: func.func private @min_bwd
// CHECK-SAME:    (%[[I:.+]]: tensor<4xi32>, %[[D:.+]]: tensor<4xf32>) -> tensor<4x8xf32>
// CHECK-DAG:     %[[D1:.+]] = tt.reshape %[[D]] : tensor<4xf32> -> tensor<4x1xf32>
// CHECK-DAG:     %[[I1:.+]] = tt.reshape %[[I]] : tensor<4xi32> -> tensor<4x1xi32>
// CHECK:         %[[DX:.+]] = tt.scatter_along %[[D1]], %[[I1]] dim = 1 size = 8
// CHECK-NEXT:    return %[[DX]]
func.func @min(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %y, %i = tt.min %x dim = 1 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi32>)
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @sort_bwd
// CHECK-SAME:    (%[[I:.+]]: tensor<4x8xi32>, %[[D:.+]]: tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[DX:.+]] = tt.scatter_along %[[D]], %[[I]] dim = 1 size = 8
// CHECK-NEXT:    return %[[DX]]
func.func @sort(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y, %i = tt.sort %x dim = 1 : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return %y : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func private @cumsum_bwd
// CHECK-SAME:    (%[[D:.+]]: tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[DX:.+]] = tt.cumsum exclusive reverse %[[D]] dim = 1
// CHECK-NEXT:    return %[[DX]]
func.func @cumsum(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = tt.cumsum exclusive %x dim = 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func private @gather_bwd
// CHECK-SAME:    (%[[I:.+]]: tensor<3xi32>, %[[D:.+]]: tensor<3x2x4xf32>) -> tensor<9x2x4xf32>
// CHECK-NEXT:    %[[R:.+]] = tt.reshape %[[D]] : tensor<3x2x4xf32> -> tensor<3x8xf32>
// CHECK-NEXT:    %[[S:.+]] = tt.scatter_add_rows %[[I]], %[[R]] rows = 9
// CHECK-NEXT:    %[[DX:.+]] = tt.reshape %[[S]] : tensor<9x8xf32> -> tensor<9x2x4xf32>
// CHECK-NEXT:    return %[[DX]]
func.func @gather(%x: tensor<9x2x4xf32>, %i: tensor<3xi32>) -> tensor<3x2x4xf32> {
  %y = tt.gather_rows %x, %i : (tensor<9x2x4xf32>, tensor<3xi32>) -> tensor<3x2x4xf32>
  return %y : tensor<3x2x4xf32>
}

// -----

// The mask looks at the rounded level, with the zero point taken off the bounds.
// CHECK-LABEL: func.func private @fake_quant_bwd
// CHECK-SAME:    (%[[X:.+]]: tensor<4xf32>, %[[D:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK:         %[[Q:.+]] = tt.div %[[X]]
// CHECK-NEXT:    %[[L:.+]] = tt.round %[[Q]]
// CHECK-DAG:     %[[LOW:.+]] = tt.constant dense<-1.000000e+01> : tensor<4xf32>
// CHECK-DAG:     %[[HIGH:.+]] = tt.constant dense<5.000000e+00> : tensor<4xf32>
// CHECK:         tt.compare le %[[L]], %[[HIGH]]
// CHECK:         tt.compare ge %[[L]], %[[LOW]]
func.func @fake_quant(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.fake_quant %x scale = 0.125 zero_point = 2 low = -8 high = 7 : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @round_ste_bwd
// CHECK-SAME:    (%[[D:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    return %[[D]]
func.func @round_ste(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.round_ste %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
