// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.matmul (C1): one rank.
func.func @matmul_rank(%a: tensor<2x4x8xf32>, %b: tensor<8x2xf32>) {
  // expected-error @below {{'tt.matmul' op expected operands of one rank >= 2 and one element type, but got 'tensor<2x4x8xf32>' and 'tensor<8x2xf32>'}}
  // expected-error @below {{'tt.matmul' op failed to infer returned types}}
  %c = tt.matmul %a, %b : (tensor<2x4x8xf32>, tensor<8x2xf32>) -> tensor<2x4x2xf32>
  return
}

// -----

// tt.matmul (C1): rank 2 or more.
func.func @matmul_vector(%a: tensor<8xf32>) {
  // expected-error @below {{'tt.matmul' op expected operands of one rank >= 2 and one element type, but got 'tensor<8xf32>' and 'tensor<8xf32>'}}
  // expected-error @below {{'tt.matmul' op failed to infer returned types}}
  %c = tt.matmul %a, %a : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  return
}

// -----

// tt.matmul (C1): one element type.
func.func @matmul_element_type(%a: tensor<4x8xf32>, %b: tensor<8x2xbf16>) {
  // expected-error @below {{'tt.matmul' op expected operands of one rank >= 2 and one element type, but got 'tensor<4x8xf32>' and 'tensor<8x2xbf16>'}}
  // expected-error @below {{'tt.matmul' op failed to infer returned types}}
  %c = tt.matmul %a, %b : (tensor<4x8xf32>, tensor<8x2xbf16>) -> tensor<4x2xf32>
  return
}

// -----

// tt.matmul (C2): the leading dimensions agree.
func.func @matmul_batch(%a: tensor<2x4x8xf32>, %b: tensor<3x8x2xf32>) {
  // expected-error @below {{'tt.matmul' op expected equal leading dimensions, but got 'tensor<2x4x8xf32>' and 'tensor<3x8x2xf32>'}}
  // expected-error @below {{'tt.matmul' op failed to infer returned types}}
  %c = tt.matmul %a, %b : (tensor<2x4x8xf32>, tensor<3x8x2xf32>) -> tensor<2x4x2xf32>
  return
}

// -----

// tt.matmul (C3): the contracted sizes agree, under the flags.
func.func @matmul_contracted(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  // expected-error @below {{'tt.matmul' op expected equal contracted sizes, but got 8 and 2}}
  // expected-error @below {{'tt.matmul' op failed to infer returned types}}
  %c = tt.matmul %a, %b transpose_rhs : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x8xf32>
  return
}

// -----

// The result type is inferred.
func.func @matmul_result(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  // expected-error @below {{'tt.matmul' op inferred type(s) 'tensor<4x2xf32>' are incompatible with return type(s) of operation 'tensor<2x4xf32>'}}
  // expected-error @below {{'tt.matmul' op failed to infer returned types}}
  %c = tt.matmul %a, %b : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<2x4xf32>
  return
}

// -----

// tt.linear (C1): a weight of rank 2.
func.func @linear_weight(%x: tensor<4x8xf32>, %w: tensor<8xf32>) {
  // expected-error @below {{'tt.linear' op expected a weight of rank 2 and the input's element type, but got 'tensor<8xf32>' for input 'tensor<4x8xf32>'}}
  // expected-error @below {{'tt.linear' op failed to infer returned types}}
  %y = tt.linear in_out %x, %w : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// tt.linear (C1): one element type.
func.func @linear_element_type(%x: tensor<4x8xbf16>, %w: tensor<8x2xf32>) {
  // expected-error @below {{'tt.linear' op expected a weight of rank 2 and the input's element type, but got 'tensor<8x2xf32>' for input 'tensor<4x8xbf16>'}}
  // expected-error @below {{'tt.linear' op failed to infer returned types}}
  %y = tt.linear in_out %x, %w : (tensor<4x8xbf16>, tensor<8x2xf32>) -> tensor<4x2xbf16>
  return
}

// -----

// tt.linear (C2): the weight's input size, under the layout.
func.func @linear_input(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>) {
  // expected-error @below {{'tt.linear' op expected an input whose last dimension is 2, but got 'tensor<4x8xf32>'}}
  // expected-error @below {{'tt.linear' op failed to infer returned types}}
  %y = tt.linear out_in %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

// tt.linear (C3): the bias has the output size.
func.func @linear_bias(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<8xf32>) {
  // expected-error @below {{'tt.linear' op expected a bias of shape [2], but got 'tensor<8xf32>'}}
  // expected-error @below {{'tt.linear' op failed to infer returned types}}
  %y = tt.linear in_out %x, %w, %b : (tensor<4x8xf32>, tensor<8x2xf32>, tensor<8xf32>) -> tensor<4x2xf32>
  return
}

// -----

// tt.linear (C3): the bias has rank 1.
func.func @linear_bias_rank(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<1x2xf32>) {
  // expected-error @below {{'tt.linear' op expected a bias of shape [2], but got 'tensor<1x2xf32>'}}
  // expected-error @below {{'tt.linear' op failed to infer returned types}}
  %y = tt.linear in_out %x, %w, %b : (tensor<4x8xf32>, tensor<8x2xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
  return
}
