// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.cross_entropy (C1): one dimension more than the targets.
func.func @logits(%z: tensor<2x65xf32>, %t: tensor<2x4xi32>) {
  // expected-error @below {{'tt.cross_entropy' op expected logits of the targets' shape and one dimension more, but got 'tensor<2x65xf32>' for targets 'tensor<2x4xi32>'}}
  // expected-error @below {{'tt.cross_entropy' op failed to infer returned types}}
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<2x65xf32>, tensor<2x4xi32>) -> (tensor<f32>, tensor<2xf32>)
  return
}

// -----

// With none, the loss has one element per row.
func.func @none(%z: tensor<4x65xf32>, %t: tensor<4xi32>) {
  // expected-error @below {{'tt.cross_entropy' op inferred type(s) 'tensor<4xf32>', 'tensor<4xf32>' are incompatible with return type(s) of operation 'tensor<f32>', 'tensor<4xf32>'}}
  // expected-error @below {{'tt.cross_entropy' op failed to infer returned types}}
  %l, %lse = tt.cross_entropy none %z, %t : (tensor<4x65xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

// tt.cross_entropy_bwd has the constraints of tt.cross_entropy.
func.func @bwd_logits(%z: tensor<65xf32>, %t: tensor<4xi32>, %lse: tensor<f32>) {
  // expected-error @below {{'tt.cross_entropy_bwd' op expected logits of the targets' shape and one dimension more, but got 'tensor<65xf32>' for targets 'tensor<4xi32>'}}
  // expected-error @below {{'tt.cross_entropy_bwd' op failed to infer returned types}}
  %d = tt.cross_entropy_bwd mean %z, %t, %lse, %lse : (tensor<65xf32>, tensor<4xi32>, tensor<f32>, tensor<f32>) -> tensor<65xf32>
  return
}

// -----

// tt.cross_entropy_bwd: d_loss has the loss's type.
func.func @d_loss(%z: tensor<4x65xf32>, %t: tensor<4xi32>, %lse: tensor<4xf32>) {
  // expected-error @below {{'tt.cross_entropy_bwd' op expected lse of type 'tensor<4xf32>' and d_loss of type 'tensor<f32>'}}
  // expected-error @below {{'tt.cross_entropy_bwd' op failed to infer returned types}}
  %d = tt.cross_entropy_bwd mean %z, %t, %lse, %lse : (tensor<4x65xf32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x65xf32>
  return
}
