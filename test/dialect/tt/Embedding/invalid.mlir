// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.embedding (C1): a table of rank 2.
func.func @table(%t: tensor<65x8x2xf32>, %ids: tensor<4xi32>) {
  // expected-error @below {{'tt.embedding' op expected a table of rank 2, but got 'tensor<65x8x2xf32>'}}
  // expected-error @below {{'tt.embedding' op failed to infer returned types}}
  %0 = tt.embedding %t, %ids : (tensor<65x8x2xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  return
}

// -----

// tt.embedding_bwd (C1): d_output has the ids' shape and one dimension more.
func.func @d_output(%d: tensor<4xf32>, %ids: tensor<4xi32>) {
  // expected-error @below {{'tt.embedding_bwd' op expected a d_output of the ids' shape and one dimension more, but got 'tensor<4xf32>' for ids 'tensor<4xi32>'}}
  // expected-error @below {{'tt.embedding_bwd' op failed to infer returned types}}
  %0 = tt.embedding_bwd %ids, %d rows = 65 : (tensor<4xi32>, tensor<4xf32>) -> tensor<65x4xf32>
  return
}

// -----

// tt.embedding_bwd (C2): rows is positive.
func.func @rows(%d: tensor<4x8xf32>, %ids: tensor<4xi32>) {
  // expected-error @below {{'tt.embedding_bwd' op expected at least one row, but got 0}}
  // expected-error @below {{'tt.embedding_bwd' op failed to infer returned types}}
  %0 = tt.embedding_bwd %ids, %d rows = 0 : (tensor<4xi32>, tensor<4x8xf32>) -> tensor<0x8xf32>
  return
}

// -----

// Ids are integers.
func.func @ids(%t: tensor<65x8xf32>, %ids: tensor<4xf32>) {
  // expected-error @below {{'tt.embedding' op operand #1 must be statically shaped tensor of 32-bit signless integer or 64-bit signless integer values of at most 2^47 bytes, but got 'tensor<4xf32>'}}
  %0 = tt.embedding %t, %ids : (tensor<65x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  return
}
