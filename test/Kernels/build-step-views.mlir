// RUN: tt-opt %s --tt-form-kernels --tt-build-step=entries=f --split-input-file | FileCheck %s

// A slice is a view; the kernel gets a variant for its strides.
// CHECK-LABEL: tt.step @f
// CHECK-SAME:    inputs = ["x"] outputs = ["y"]
// CHECK-NEXT:    %[[V0:.+]] = tt.buffer arena bytes = 128 {kind = "activation"}
// CHECK-NEXT:    %[[V1:.+]] = tt.buffer io bytes = 384 {name = "x", role = {tt.input = "x"}, tensor = tensor<4x24xf32>}
// CHECK-NEXT:    %[[V2:.+]] = tt.view %[[V1]] at 32 : memref<4x8xf32, strided<[24, 1]>>
// CHECK-NEXT:    %[[V3:.+]] = tt.view %[[V0]] at 0 : memref<4x8xf32>
// CHECK-NEXT:    tt.launch @neg_0_v1 reads(%[[V2]] : memref<4x8xf32, strided<[24, 1]>>) writes(%[[V3]] : memref<4x8xf32>)
// CHECK-NEXT:    %[[V4:.+]] = tt.view %[[V0]] at 0 : memref<4x8xf32>
// CHECK-NEXT:    tt.yield %[[V4]] : memref<4x8xf32>
func.func @f(%x: tensor<4x24xf32> {tt.input = "x"}) -> (tensor<4x8xf32> {tt.output = "y"}) {
  %q = tt.slice %x dim = 1 start = 8 size = 8 : (tensor<4x24xf32>) -> tensor<4x8xf32>
  %n = tt.neg %q : tensor<4x8xf32>
  return %n : tensor<4x8xf32>
}

// -----

// The operands of a concat are written in place: no copy.
// CHECK-LABEL: tt.step @f
// CHECK-SAME:    inputs = ["x"] outputs = ["y"]
// CHECK-NEXT:    %[[V0:.+]] = tt.buffer arena bytes = 256 {kind = "activation"}
// CHECK-NEXT:    %[[V1:.+]] = tt.buffer io bytes = 128 {name = "x", role = {tt.input = "x"}, tensor = tensor<4x8xf32>}
// CHECK-NEXT:    %[[V2:.+]] = tt.view %[[V1]] at 0 : memref<4x8xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.view %[[V0]] at 0 : memref<4x8xf32>
// CHECK-NEXT:    tt.launch @neg_0 reads(%[[V2]] : memref<4x8xf32>) writes(%[[V3]] : memref<4x8xf32>)
// CHECK-NEXT:    %[[V4:.+]] = tt.view %[[V1]] at 0 : memref<4x8xf32>
// CHECK-NEXT:    %[[V5:.+]] = tt.view %[[V0]] at 128 : memref<4x8xf32>
// CHECK-NEXT:    tt.launch @exp_1 reads(%[[V4]] : memref<4x8xf32>) writes(%[[V5]] : memref<4x8xf32>)
// CHECK-NEXT:    %[[V6:.+]] = tt.view %[[V0]] at 0 : memref<8x8xf32>
// CHECK-NEXT:    tt.yield %[[V6]] : memref<8x8xf32>
func.func @f(%x: tensor<4x8xf32> {tt.input = "x"}) -> (tensor<8x8xf32> {tt.output = "y"}) {
  %n = tt.neg %x : tensor<4x8xf32>
  %m = tt.exp %x : tensor<4x8xf32>
  %c = tt.concat %n, %m dim = 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// -----

// Strides that do not allow a reshape: through a dense copy.
// CHECK-LABEL: tt.step @f
// CHECK-SAME:    inputs = ["x"] outputs = ["y"]
// CHECK-NEXT:    %[[V0:.+]] = tt.buffer arena bytes = 256 {kind = "activation"}
// CHECK-NEXT:    %[[V1:.+]] = tt.buffer arena bytes = 256 {kind = "activation"}
// CHECK-NEXT:    %[[V2:.+]] = tt.buffer io bytes = 256 {name = "x", role = {tt.input = "x"}, tensor = tensor<2x4x8xf32>}
// CHECK-NEXT:    %[[V3:.+]] = tt.view %[[V2]] at 0 : memref<4x2x8xf32, strided<[8, 32, 1]>>
// CHECK-NEXT:    %[[V4:.+]] = tt.view %[[V1]] at 0 : memref<4x2x8xf32>
// CHECK-NEXT:    tt.launch @copy_0_v1 reads(%[[V3]] : memref<4x2x8xf32, strided<[8, 32, 1]>>) writes(%[[V4]] : memref<4x2x8xf32>)
// CHECK-NEXT:    %[[V5:.+]] = tt.view %[[V1]] at 0 : memref<64xf32>
// CHECK-NEXT:    %[[V6:.+]] = tt.view %[[V0]] at 0 : memref<64xf32>
// CHECK-NEXT:    tt.launch @neg_0 reads(%[[V5]] : memref<64xf32>) writes(%[[V6]] : memref<64xf32>)
// CHECK-NEXT:    %[[V7:.+]] = tt.view %[[V0]] at 0 : memref<64xf32>
// CHECK-NEXT:    tt.yield %[[V7]] : memref<64xf32>
func.func @f(%x: tensor<2x4x8xf32> {tt.input = "x"}) -> (tensor<64xf32> {tt.output = "y"}) {
  %t = tt.transpose %x permutation = [1, 0, 2] : (tensor<2x4x8xf32>) -> tensor<4x2x8xf32>
  %r = tt.reshape %t : tensor<4x2x8xf32> -> tensor<64xf32>
  %n = tt.neg %r : tensor<64xf32>
  return %n : tensor<64xf32>
}

// -----

// An output has storage of its own.
// CHECK-LABEL: tt.step @f
// CHECK-SAME:    inputs = ["x"] outputs = ["y"]
// CHECK-NEXT:    %[[V0:.+]] = tt.buffer arena bytes = 128 {kind = "activation"}
// CHECK-NEXT:    %[[V1:.+]] = tt.buffer io bytes = 128 {name = "x", role = {tt.input = "x"}, tensor = tensor<4x8xf32>}
// CHECK-NEXT:    %[[V2:.+]] = tt.view %[[V1]] at 0 : memref<4x8xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.view %[[V0]] at 0 : memref<4x8xf32>
// CHECK-NEXT:    tt.launch @copy_0 reads(%[[V2]] : memref<4x8xf32>) writes(%[[V3]] : memref<4x8xf32>)
// CHECK-NEXT:    %[[V4:.+]] = tt.view %[[V0]] at 0 : memref<4x8xf32>
// CHECK-NEXT:    tt.yield %[[V4]] : memref<4x8xf32>
func.func @f(%x: tensor<4x8xf32> {tt.input = "x"}) -> (tensor<4x8xf32> {tt.output = "y"}) {
  return %x : tensor<4x8xf32>
}

// -----

// An output is dense.
// CHECK-LABEL: tt.step @f
// CHECK-SAME:    inputs = ["x"] outputs = ["y"]
// CHECK-NEXT:    %[[V0:.+]] = tt.buffer arena bytes = 128 {kind = "activation"}
// CHECK-NEXT:    %[[V1:.+]] = tt.buffer arena bytes = 128 {kind = "activation"}
// CHECK-NEXT:    %[[V2:.+]] = tt.buffer io bytes = 128 {name = "x", role = {tt.input = "x"}, tensor = tensor<4x8xf32>}
// CHECK-NEXT:    %[[V3:.+]] = tt.view %[[V2]] at 0 : memref<4x8xf32>
// CHECK-NEXT:    %[[V4:.+]] = tt.view %[[V1]] at 0 : memref<4x8xf32>
// CHECK-NEXT:    tt.launch @neg_0 reads(%[[V3]] : memref<4x8xf32>) writes(%[[V4]] : memref<4x8xf32>)
// CHECK-NEXT:    %[[V5:.+]] = tt.view %[[V1]] at 0 : memref<8x4xf32, strided<[1, 8]>>
// CHECK-NEXT:    %[[V6:.+]] = tt.view %[[V0]] at 0 : memref<8x4xf32>
// CHECK-NEXT:    tt.launch @copy_0_v1 reads(%[[V5]] : memref<8x4xf32, strided<[1, 8]>>) writes(%[[V6]] : memref<8x4xf32>)
// CHECK-NEXT:    %[[V7:.+]] = tt.view %[[V0]] at 0 : memref<8x4xf32>
// CHECK-NEXT:    tt.yield %[[V7]] : memref<8x4xf32>
func.func @f(%x: tensor<4x8xf32> {tt.input = "x"}) -> (tensor<8x4xf32> {tt.output = "y"}) {
  %n = tt.neg %x : tensor<4x8xf32>
  %t = tt.transpose %n permutation = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %t : tensor<8x4xf32>
}

// -----

// A value in a concat twice, or in two, is copied; a nested concat is placed in
// the outer one.
// CHECK-LABEL: tt.step @f
// CHECK-SAME:    inputs = ["x"] outputs = ["y", "z"]
// CHECK-NEXT:    %[[V0:.+]] = tt.buffer arena bytes = 512 {kind = "activation"}
// CHECK-NEXT:    %[[V1:.+]] = tt.buffer io bytes = 128 {name = "x", role = {tt.input = "x"}, tensor = tensor<4x8xf32>}
// CHECK-NEXT:    %[[V2:.+]] = tt.view %[[V1]] at 0 : memref<4x8xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.view %[[V0]] at 256 : memref<4x8xf32>
// CHECK-NEXT:    tt.launch @neg_0 reads(%[[V2]] : memref<4x8xf32>) writes(%[[V3]] : memref<4x8xf32>)
// CHECK-NEXT:    %[[V4:.+]] = tt.view %[[V0]] at 256 : memref<4x8xf32>
// CHECK-NEXT:    %[[V5:.+]] = tt.view %[[V0]] at 0 : memref<4x8xf32>
// CHECK-NEXT:    tt.launch @copy_0 reads(%[[V4]] : memref<4x8xf32>) writes(%[[V5]] : memref<4x8xf32>)
// CHECK-NEXT:    %[[V6:.+]] = tt.view %[[V0]] at 256 : memref<4x8xf32>
// CHECK-NEXT:    %[[V7:.+]] = tt.view %[[V0]] at 128 : memref<4x8xf32>
// CHECK-NEXT:    tt.launch @copy_0 reads(%[[V6]] : memref<4x8xf32>) writes(%[[V7]] : memref<4x8xf32>)
// CHECK-NEXT:    %[[V8:.+]] = tt.view %[[V1]] at 0 : memref<4x8xf32>
// CHECK-NEXT:    %[[V9:.+]] = tt.view %[[V0]] at 384 : memref<4x8xf32>
// CHECK-NEXT:    tt.launch @copy_0 reads(%[[V8]] : memref<4x8xf32>) writes(%[[V9]] : memref<4x8xf32>)
// CHECK-NEXT:    %[[V10:.+]] = tt.view %[[V0]] at 0 : memref<16x8xf32>
// CHECK-NEXT:    %[[V11:.+]] = tt.view %[[V0]] at 0 : memref<8x8xf32>
// CHECK-NEXT:    tt.yield %[[V10]], %[[V11]] : memref<16x8xf32>, memref<8x8xf32>
func.func @f(%x: tensor<4x8xf32> {tt.input = "x"}) -> (tensor<16x8xf32> {tt.output = "y"}, tensor<8x8xf32> {tt.output = "z"}) {
  %n = tt.neg %x : tensor<4x8xf32>
  %c = tt.concat %n, %n dim = 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %d = tt.concat %c, %n, %x dim = 0 : (tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<16x8xf32>
  return %d, %c : tensor<16x8xf32>, tensor<8x8xf32>
}
