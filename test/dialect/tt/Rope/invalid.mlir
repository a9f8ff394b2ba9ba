// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.rope (C1): an even last dimension.
func.func @rope_even(%x: tensor<8x15xf32>) {
  // expected-error @below {{'tt.rope' op expected rank >= 2 and an even last dimension, but got 'tensor<8x15xf32>'}}
  // expected-error @below {{'tt.rope' op failed to infer returned types}}
  %y = tt.rope half_split %x theta = 1.0e4 : (tensor<8x15xf32>) -> tensor<8x15xf32>
  return
}

// -----

// tt.rope (C1): rank 2 or more.
func.func @rope_rank(%x: tensor<16xf32>) {
  // expected-error @below {{'tt.rope' op expected rank >= 2 and an even last dimension, but got 'tensor<16xf32>'}}
  // expected-error @below {{'tt.rope' op failed to infer returned types}}
  %y = tt.rope half_split %x theta = 1.0e4 : (tensor<16xf32>) -> tensor<16xf32>
  return
}

// -----

// tt.rope (C2): one position per row.
func.func @rope_positions(%x: tensor<8x16xf32>, %p: tensor<7xi32>) {
  // expected-error @below {{'tt.rope' op expected positions of shape [8] or [B, 8], but got 'tensor<7xi32>'}}
  // expected-error @below {{'tt.rope' op failed to infer returned types}}
  %y = tt.rope half_split %x positions(%p) theta = 1.0e4 : (tensor<8x16xf32>, tensor<7xi32>) -> tensor<8x16xf32>
  return
}

// -----

// tt.rope (C3): theta is positive.
func.func @rope_theta(%x: tensor<8x16xf32>) {
  // expected-error @below {{'tt.rope' op expected a positive, finite theta, but got 0.000000}}
  // expected-error @below {{'tt.rope' op failed to infer returned types}}
  %y = tt.rope half_split %x theta = 0.0 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

// tt.rope (C2): a row of positions per batch.
func.func @rope_batch(%x: tensor<2x8x16xf32>, %p: tensor<3x8xi32>) {
  // expected-error @below {{'tt.rope' op expected positions of shape [8] or [B, 8], but got 'tensor<3x8xi32>'}}
  // expected-error @below {{'tt.rope' op failed to infer returned types}}
  %y = tt.rope half_split %x positions(%p) theta = 1.0e4 : (tensor<2x8x16xf32>, tensor<3x8xi32>) -> tensor<2x8x16xf32>
  return
}

// -----

// tt.rope (C4): a factor of at least 1.
func.func @rope_factor(%x: tensor<8x16xf32>) {
  // expected-error @below {{'tt.rope' op expected scaling with a finite factor >= 1, and llama3 with 0 < low < high and a positive context}}
  // expected-error @below {{'tt.rope' op failed to infer returned types}}
  %y = tt.rope half_split %x theta = 1.0e4 scaling linear(0.5) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

// tt.rope (C4): low below high.
func.func @rope_low(%x: tensor<8x16xf32>) {
  // expected-error @below {{'tt.rope' op expected scaling with a finite factor >= 1, and llama3 with 0 < low < high and a positive context}}
  // expected-error @below {{'tt.rope' op failed to infer returned types}}
  %y = tt.rope half_split %x theta = 1.0e4 scaling llama3(8.0, 4.0, 4.0, 8192) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

// tt.rope (C3): theta is finite.
func.func @rope_infinite_theta(%x: tensor<8x16xf32>) {
  // expected-error @below {{'tt.rope' op expected a positive, finite theta, but got inf}}
  // expected-error @below {{'tt.rope' op failed to infer returned types}}
  %y = tt.rope half_split %x theta = 0x7FF0000000000000 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}
