// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.iota (C1): dim is a dimension of the result.
func.func @iota() {
  // expected-error @below {{'tt.iota' op expected dim in [0, 1), but got 1}}
  %0 = tt.iota dim = 1 : tensor<8xi32>
  return
}

// -----

// tt.broadcast (C1): one entry of dims per operand dimension.
func.func @broadcast_dims(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.broadcast' op expected one entry of dims per operand dimension (1), but got 0}}
  %0 = tt.broadcast %x dims = [] : tensor<8xf32> -> tensor<4x8xf32>
  return
}

// -----

// tt.broadcast (C1): dims increase inside the result.
func.func @broadcast_order(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.broadcast' op expected dims to increase inside [0, 2), but got [1, 0]}}
  %0 = tt.broadcast %x dims = [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  return
}

// -----

// tt.broadcast (C2): sizes agree.
func.func @broadcast_size(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.broadcast' op expected size 8 in result dimension 0, but got 4}}
  %0 = tt.broadcast %x dims = [0] : tensor<8xf32> -> tensor<4x8xf32>
  return
}

// -----

// tt.broadcast (C3): one element type.
func.func @broadcast_type(%x: tensor<8xf32>) {
  // expected-error @below {{'tt.broadcast' op expected element type 'f32', but got 'bf16'}}
  %0 = tt.broadcast %x dims = [1] : tensor<8xf32> -> tensor<4x8xbf16>
  return
}

// -----

// tt.reshape (C1): as many elements.
func.func @reshape_elements(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.reshape' op expected a result of 32 elements, but got 'tensor<31xf32>'}}
  %0 = tt.reshape %x : tensor<4x8xf32> -> tensor<31xf32>
  return
}

// -----

// tt.reshape (C2): one element type.
func.func @reshape_type(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.reshape' op expected element type 'f32', but got 'i32'}}
  %0 = tt.reshape %x : tensor<4x8xf32> -> tensor<32xi32>
  return
}

// -----

// tt.transpose (C1): every dimension once.
func.func @transpose_twice(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.transpose' op expected a permutation of 2 dimensions, but got array<i64: 0, 0>}}
  // expected-error @below {{'tt.transpose' op failed to infer returned types}}
  %0 = tt.transpose %x permutation = [0, 0] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}

// -----

// tt.slice (C1): dim is a dimension.
func.func @slice_dim(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.slice' op expected a dimension in [0, 2), but got 2}}
  // expected-error @below {{'tt.slice' op failed to infer returned types}}
  %0 = tt.slice %x dim = 2 start = 0 size = 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// tt.slice (C2): the range ends inside.
func.func @slice_range(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.slice' op expected a range inside [0, 8), but got start 6 size 3}}
  // expected-error @below {{'tt.slice' op failed to infer returned types}}
  %0 = tt.slice %x dim = 1 start = 6 size = 3 : (tensor<4x8xf32>) -> tensor<4x3xf32>
  return
}

// -----

// tt.slice (C2): the range is not empty.
func.func @slice_empty(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.slice' op expected a range inside [0, 8), but got start 0 size 0}}
  // expected-error @below {{'tt.slice' op failed to infer returned types}}
  %0 = tt.slice %x dim = 1 start = 0 size = 0 : (tensor<4x8xf32>) -> tensor<4x0xf32>
  return
}

// -----

// tt.slice (C2): start + size would overflow.
func.func @slice_overflow(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.slice' op expected a range inside [0, 8), but got start 2 size 9223372036854775807}}
  // expected-error @below {{'tt.slice' op failed to infer returned types}}
  %0 = tt.slice %x dim = 1 start = 2 size = 9223372036854775807 : (tensor<4x8xf32>) -> tensor<4x3xf32>
  return
}

// -----

// tt.pad (C1): dim is a dimension.
func.func @pad_dim(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.pad' op expected a dimension in [0, 2), but got -1}}
  // expected-error @below {{'tt.pad' op failed to infer returned types}}
  %0 = tt.pad %x dim = -1 low = 0 high = 1 : (tensor<4x8xf32>) -> tensor<4x9xf32>
  return
}

// -----

// tt.pad (C2): low and high are not negative.
func.func @pad_negative(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.pad' op expected low and high of at least 0, but got 0 and -1}}
  // expected-error @below {{'tt.pad' op failed to infer returned types}}
  %0 = tt.pad %x dim = 1 low = 0 high = -1 : (tensor<4x8xf32>) -> tensor<4x7xf32>
  return
}

// -----

// tt.pad: the new size fits in 64 bits.
func.func @pad_overflow(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.pad' op expected a new size below 2^63, but got 8 + low 0 + high 9223372036854775807}}
  // expected-error @below {{'tt.pad' op failed to infer returned types}}
  %0 = tt.pad %x dim = 1 low = 0 high = 9223372036854775807 : (tensor<4x8xf32>) -> tensor<4x7xf32>
  return
}

// -----

// tt.concat (C1): at least one operand.
func.func @concat_none() {
  // expected-error @below {{'tt.concat' op expected at least one operand}}
  // expected-error @below {{'tt.concat' op failed to infer returned types}}
  %0 = "tt.concat"() <{dim = 0 : i64}> : () -> tensor<5x8xf32>
  return
}

// -----

// tt.concat (C2): dim is a dimension.
func.func @concat_dim(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.concat' op expected a dimension in [0, 2), but got 2}}
  // expected-error @below {{'tt.concat' op failed to infer returned types}}
  %0 = tt.concat %x, %x dim = 2 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// tt.concat (C3): the other sizes agree.
func.func @concat_sizes(%x: tensor<4x8xf32>, %y: tensor<4x7xf32>) {
  // expected-error @below {{'tt.concat' op expected operands like 'tensor<4x8xf32>' but for dimension 0, but got 'tensor<4x7xf32>'}}
  // expected-error @below {{'tt.concat' op failed to infer returned types}}
  %0 = tt.concat %x, %y dim = 0 : (tensor<4x8xf32>, tensor<4x7xf32>) -> tensor<8x8xf32>
  return
}

// -----

// tt.concat (C3): one element type.
func.func @concat_types(%x: tensor<4x8xf32>, %y: tensor<4x8xbf16>) {
  // expected-error @below {{'tt.concat' op expected operands like 'tensor<4x8xf32>' but for dimension 0, but got 'tensor<4x8xbf16>'}}
  // expected-error @below {{'tt.concat' op failed to infer returned types}}
  %0 = tt.concat %x, %y dim = 0 : (tensor<4x8xf32>, tensor<4x8xbf16>) -> tensor<8x8xf32>
  return
}

// -----

// tt.take (C1): dim is a dimension.
func.func @take_dim(%x: tensor<4x8xf32>, %i: tensor<i32>) {
  // expected-error @below {{'tt.take' op expected a dimension in [0, 2), but got 2}}
  // expected-error @below {{'tt.take' op failed to infer returned types}}
  %0 = tt.take %x, %i dim = 2 : (tensor<4x8xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

// The index of take is a scalar.
func.func @take_index(%x: tensor<4x8xf32>, %i: tensor<1xi32>) {
  // expected-error @below {{'tt.take' op operand #1 must be i32 or i64 tensor of rank 0, but got 'tensor<1xi32>'}}
  %0 = tt.take %x, %i dim = 1 : (tensor<4x8xf32>, tensor<1xi32>) -> tensor<4xf32>
  return
}

// -----

// tt.constant: the attribute and the result have one type.
func.func @constant() {
  // expected-error @below {{'tt.constant' op failed to verify that all of {value, output} have same type}}
  %0 = "tt.constant"() <{value = dense<1.0> : tensor<4xf32>}> : () -> tensor<5xf32>
  return
}
