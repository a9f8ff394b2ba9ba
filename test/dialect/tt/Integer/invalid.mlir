// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.floor_div: integers of i32 or i64.
func.func @floor_div(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.floor_div' op operand #0 must be statically shaped tensor of 32-bit signless integer or 64-bit signless integer values of at most 2^47 bytes, but got 'tensor<4xf32>'}}
  %0 = tt.floor_div %x, %x : tensor<4xf32>
  return
}

// -----

// tt.and: one type.
func.func @and(%x: tensor<4xi1>, %y: tensor<4xi8>) {
  // expected-error @below {{'tt.and' op requires the same type for all operands and results}}
  %0 = "tt.and"(%x, %y) : (tensor<4xi1>, tensor<4xi8>) -> tensor<4xi1>
  return
}
