// RUN: tt-opt %s --tt-autodiff=wrt=all --split-input-file | FileCheck %s

// CHECK-LABEL: func.func private @broadcast_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<2x4x8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.sum %[[A0]] dims = [0, 1] : (tensor<2x4x8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<8xf32>
func.func @broadcast(%x: tensor<8xf32>) -> tensor<2x4x8xf32> {
  %y = tt.broadcast %x dims = [2] : tensor<8xf32> -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// -----

// CHECK-LABEL: func.func private @sum_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>) -> tensor<2x4x8xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.broadcast %[[A0]] dims = [1] : tensor<4xf32> -> tensor<2x4x8xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<2x4x8xf32>
func.func @sum(%x: tensor<2x4x8xf32>) -> tensor<4xf32> {
  %y = tt.sum %x dims = [0, 2] : (tensor<2x4x8xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @views_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<32x2xf32>) -> tensor<2x4x8xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.reshape %[[A0]] : tensor<32x2xf32> -> tensor<4x8x2xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.transpose %[[V0]] permutation = [2, 0, 1] : (tensor<4x8x2xf32>) -> tensor<2x4x8xf32>
// CHECK-NEXT:    return %[[V1]] : tensor<2x4x8xf32>
func.func @views(%x: tensor<2x4x8xf32>) -> tensor<32x2xf32> {
  %t = tt.transpose %x permutation = [1, 2, 0] : (tensor<2x4x8xf32>) -> tensor<4x8x2xf32>
  %y = tt.reshape %t : tensor<4x8x2xf32> -> tensor<32x2xf32>
  return %y : tensor<32x2xf32>
}

// -----

// CHECK-LABEL: func.func private @concat_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<5x8xf32>) -> (tensor<2x8xf32>, tensor<3x8xf32>)
// CHECK-NEXT:    %[[V0:.+]] = tt.slice %[[A0]] dim = 0 start = 0 size = 2 : (tensor<5x8xf32>) -> tensor<2x8xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.slice %[[A0]] dim = 0 start = 2 size = 3 : (tensor<5x8xf32>) -> tensor<3x8xf32>
// CHECK-NEXT:    return %[[V0]], %[[V1]] : tensor<2x8xf32>, tensor<3x8xf32>
func.func @concat(%x: tensor<2x8xf32>, %y: tensor<3x8xf32>) -> tensor<5x8xf32> {
  %z = tt.concat %x, %y dim = 0 : (tensor<2x8xf32>, tensor<3x8xf32>) -> tensor<5x8xf32>
  return %z : tensor<5x8xf32>
}

// -----

// CHECK-LABEL: func.func private @pad_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x11xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.slice %[[A0]] dim = 1 start = 1 size = 8 : (tensor<4x11xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<4x8xf32>
func.func @pad(%x: tensor<4x8xf32>) -> tensor<4x11xf32> {
  %y = tt.pad %x dim = 1 low = 1 high = 2 : (tensor<4x8xf32>) -> tensor<4x11xf32>
  return %y : tensor<4x11xf32>
}

// -----

// One slice alone: zeros around it.
// CHECK-LABEL: func.func private @slice_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x3xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.pad %[[A0]] dim = 1 low = 2 high = 3 : (tensor<4x3xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<4x8xf32>
func.func @slice(%x: tensor<4x8xf32>) -> tensor<4x3xf32> {
  %y = tt.slice %x dim = 1 start = 2 size = 3 : (tensor<4x8xf32>) -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// -----

// q, k and v of one projection: one concat, no pad, no add.
// CHECK-LABEL: func.func private @qkv_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x8xf32>, %[[A1:.+]]: tensor<4x8xf32>, %[[A2:.+]]: tensor<4x8xf32>) -> tensor<4x24xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.concat %[[A0]], %[[A1]], %[[A2]] dim = 1 : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x24xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<4x24xf32>
func.func @qkv(%x: tensor<4x24xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %q = tt.slice %x dim = 1 start = 0 size = 8 : (tensor<4x24xf32>) -> tensor<4x8xf32>
  %k = tt.slice %x dim = 1 start = 8 size = 8 : (tensor<4x24xf32>) -> tensor<4x8xf32>
  %v = tt.slice %x dim = 1 start = 16 size = 8 : (tensor<4x24xf32>) -> tensor<4x8xf32>
  return %q, %k, %v : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// Slices that overlap are padded and added.
// CHECK-LABEL: func.func private @overlap_bwd
// CHECK-COUNT-2: tt.pad
// CHECK:         tt.add
func.func @overlap(%x: tensor<8xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %a = tt.slice %x dim = 0 start = 0 size = 5 : (tensor<8xf32>) -> tensor<5xf32>
  %b = tt.slice %x dim = 0 start = 3 size = 5 : (tensor<8xf32>) -> tensor<5xf32>
  return %a, %b : tensor<5xf32>, tensor<5xf32>
}

// -----

// A padded cotangent that is part of a concat for %a and whole for %b.
// CHECK-LABEL: func.func private @shared_pad_bwd
// CHECK-SAME:    (%[[D:.+]]: tensor<4xf32>)
// CHECK-NEXT:    %[[PAD:.+]] = tt.pad %[[D]] dim = 0 low = 0 high = 4
// CHECK-NEXT:    %[[JOINED:.+]] = tt.concat %[[D]], %[[D]] dim = 0
// CHECK-NEXT:    return %[[JOINED]], %[[PAD]]
func.func @shared_pad(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<4xf32> {
  %v = tt.add %a, %b : tensor<8xf32>
  %s0 = tt.slice %v dim = 0 start = 0 size = 4 : (tensor<8xf32>) -> tensor<4xf32>
  %s1 = tt.slice %a dim = 0 start = 4 size = 4 : (tensor<8xf32>) -> tensor<4xf32>
  %y = tt.add %s0, %s1 : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// The cotangent goes to the row that was taken.
// CHECK-LABEL: func.func private @take_bwd
// CHECK:         %[[HIT:.+]] = tt.compare eq
// CHECK:         tt.select %[[HIT]]
func.func @take(%x: tensor<4x8xf32>, %i: tensor<i32>) -> tensor<8xf32> {
  %y = tt.take %x, %i dim = 0 : (tensor<4x8xf32>, tensor<i32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
