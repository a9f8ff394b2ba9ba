// RUN: tt-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @same_type
// CHECK-SAME:    (%[[X:.+]]: tensor<4x8xf32>)
// CHECK-NEXT:    return %[[X]], %[[X]]
func.func @same_type(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = tt.broadcast %x dims = [0, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = tt.reshape %x : tensor<4x8xf32> -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// A splat stays a splat under every shape op.
// CHECK-LABEL: func.func @splats
// CHECK-DAG:     %[[A:.+]] = tt.constant dense<2.000000e+00> : tensor<4x8xf32>
// CHECK-DAG:     %[[B:.+]] = tt.constant dense<2.000000e+00> : tensor<32xf32>
// CHECK-DAG:     %[[C:.+]] = tt.constant dense<2.000000e+00> : tensor<8x4xf32>
// CHECK:         return %[[A]], %[[B]], %[[C]]
func.func @splats() -> (tensor<4x8xf32>, tensor<32xf32>, tensor<8x4xf32>) {
  %c = tt.constant dense<2.0> : tensor<8xf32>
  %0 = tt.broadcast %c dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
  %1 = tt.reshape %0 : tensor<4x8xf32> -> tensor<32xf32>
  %2 = tt.transpose %0 permutation = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<32xf32>, tensor<8x4xf32>
}

// CHECK-LABEL: func.func @reshape_chain
// CHECK-SAME:    (%[[X:.+]]: tensor<4x8xf32>)
// CHECK-NEXT:    %[[Y:.+]] = tt.reshape %[[X]] : tensor<4x8xf32> -> tensor<16x2xf32>
// CHECK-NEXT:    return %[[Y]]
func.func @reshape_chain(%x: tensor<4x8xf32>) -> tensor<16x2xf32> {
  %0 = tt.reshape %x : tensor<4x8xf32> -> tensor<32xf32>
  %1 = tt.reshape %0 : tensor<32xf32> -> tensor<16x2xf32>
  return %1 : tensor<16x2xf32>
}

// CHECK-LABEL: func.func @reshape_and_back
// CHECK-SAME:    (%[[X:.+]]: tensor<4x8xf32>)
// CHECK-NEXT:    return %[[X]]
func.func @reshape_and_back(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tt.reshape %x : tensor<4x8xf32> -> tensor<32xf32>
  %1 = tt.reshape %0 : tensor<32xf32> -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @transpose_identity
// CHECK-SAME:    (%[[X:.+]]: tensor<2x4x8xf32>)
// CHECK-NEXT:    return %[[X]]
func.func @transpose_identity(%x: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %0 = tt.transpose %x permutation = [0, 1, 2] : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %0 : tensor<2x4x8xf32>
}

// CHECK-LABEL: func.func @transpose_and_back
// CHECK-SAME:    (%[[X:.+]]: tensor<2x4x8xf32>)
// CHECK-NEXT:    return %[[X]]
func.func @transpose_and_back(%x: tensor<2x4x8xf32>) -> tensor<2x4x8xf32> {
  %0 = tt.transpose %x permutation = [1, 2, 0] : (tensor<2x4x8xf32>) -> tensor<4x8x2xf32>
  %1 = tt.transpose %0 permutation = [2, 0, 1] : (tensor<4x8x2xf32>) -> tensor<2x4x8xf32>
  return %1 : tensor<2x4x8xf32>
}

// A cycle of three is not its own inverse.
// CHECK-LABEL: func.func @transpose_twice
// CHECK-COUNT-2: tt.transpose
func.func @transpose_twice(%x: tensor<2x4x8xf32>) -> tensor<8x2x4xf32> {
  %0 = tt.transpose %x permutation = [1, 2, 0] : (tensor<2x4x8xf32>) -> tensor<4x8x2xf32>
  %1 = tt.transpose %0 permutation = [1, 2, 0] : (tensor<4x8x2xf32>) -> tensor<8x2x4xf32>
  return %1 : tensor<8x2x4xf32>
}

// CHECK-LABEL: func.func @concat_one
// CHECK-SAME:    (%[[X:.+]]: tensor<4x8xf32>)
// CHECK-NEXT:    return %[[X]]
func.func @concat_one(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = tt.concat %x dim = 0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
