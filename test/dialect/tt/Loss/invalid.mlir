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

// -----

// tt.cross_entropy (C2): one weight per class.
func.func @weights(%z: tensor<4x65xf32>, %t: tensor<4xi32>, %w: tensor<64xf32>) {
  // expected-error @below {{'tt.cross_entropy' op expected weights of type 'tensor<65xf32>', but got 'tensor<64xf32>'}}
  // expected-error @below {{'tt.cross_entropy' op failed to infer returned types}}
  %l, %lse = tt.cross_entropy mean %z, %t weights(%w) : (tensor<4x65xf32>, tensor<4xi32>, tensor<64xf32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

// tt.cross_entropy (C3): label_smoothing is a part of 1.
func.func @smoothing(%z: tensor<4x65xf32>, %t: tensor<4xi32>) {
  // expected-error @below {{'tt.cross_entropy' op expected label_smoothing in [0, 1], but got 1.500000}}
  // expected-error @below {{'tt.cross_entropy' op failed to infer returned types}}
  %l, %lse = tt.cross_entropy mean %z, %t {label_smoothing = 1.5 : f64} : (tensor<4x65xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

// tt.cross_entropy (C4): z_loss is not negative.
func.func @z_loss(%z: tensor<4x65xf32>, %t: tensor<4xi32>) {
  // expected-error @below {{'tt.cross_entropy' op expected a z_loss that is finite and not negative, but got -1.000000}}
  // expected-error @below {{'tt.cross_entropy' op failed to infer returned types}}
  %l, %lse = tt.cross_entropy mean %z, %t {z_loss = -1.0 : f64} : (tensor<4x65xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

// tt.cross_entropy (C4): nor NaN.
func.func @z_loss_nan(%z: tensor<4x65xf32>, %t: tensor<4xi32>) {
  // expected-error @below {{'tt.cross_entropy' op expected a z_loss that is finite and not negative, but got nan}}
  // expected-error @below {{'tt.cross_entropy' op failed to infer returned types}}
  %l, %lse = tt.cross_entropy mean %z, %t {z_loss = 0x7FF8000000000000 : f64} : (tensor<4x65xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

// tt.linear_cross_entropy (C1): one dimension more than the targets.
func.func @linear_hidden(%h: tensor<8xf32>, %w: tensor<65x8xf32>, %t: tensor<4xi32>) {
  // expected-error @below {{'tt.linear_cross_entropy' op expected hidden of the targets' shape and one dimension more, but got 'tensor<8xf32>' for targets 'tensor<4xi32>'}}
  // expected-error @below {{'tt.linear_cross_entropy' op failed to infer returned types}}
  %l, %lse = tt.linear_cross_entropy mean out_in %h, %w, %t chunks = 1 : (tensor<8xf32>, tensor<65x8xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

// tt.linear_cross_entropy (C2): the weight takes hidden.
func.func @linear_weight(%h: tensor<4x8xf32>, %w: tensor<65x8xf32>, %t: tensor<4xi32>) {
  // expected-error @below {{'tt.linear_cross_entropy' op expected a weight of rank 2, type 'f32' and input size 8, but got 'tensor<65x8xf32>'}}
  // expected-error @below {{'tt.linear_cross_entropy' op failed to infer returned types}}
  %l, %lse = tt.linear_cross_entropy mean in_out %h, %w, %t chunks = 1 : (tensor<4x8xf32>, tensor<65x8xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

// tt.linear_cross_entropy (C3): a chunk has a row.
func.func @linear_chunks(%h: tensor<4x8xf32>, %w: tensor<65x8xf32>, %t: tensor<4xi32>) {
  // expected-error @below {{'tt.linear_cross_entropy' op expected chunks in [1, 4], but got 5}}
  // expected-error @below {{'tt.linear_cross_entropy' op failed to infer returned types}}
  %l, %lse = tt.linear_cross_entropy mean out_in %h, %w, %t chunks = 5 : (tensor<4x8xf32>, tensor<65x8xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

// tt.linear_cross_entropy (C4): one class weight per class.
func.func @linear_class_weights(%h: tensor<4x8xf32>, %w: tensor<65x8xf32>, %t: tensor<4xi32>, %c: tensor<8xf32>) {
  // expected-error @below {{'tt.linear_cross_entropy' op expected weights of type 'tensor<65xf32>', but got 'tensor<8xf32>'}}
  // expected-error @below {{'tt.linear_cross_entropy' op failed to infer returned types}}
  %l, %lse = tt.linear_cross_entropy mean out_in %h, %w, %t weights(%c) chunks = 2 : (tensor<4x8xf32>, tensor<65x8xf32>, tensor<4xi32>, tensor<8xf32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

// tt.linear_cross_entropy (C5): a share of the labels.
func.func @linear_smoothing(%h: tensor<4x8xf32>, %w: tensor<65x8xf32>, %t: tensor<4xi32>) {
  // expected-error @below {{'tt.linear_cross_entropy' op expected label_smoothing in [0, 1], but got 1.500000}}
  // expected-error @below {{'tt.linear_cross_entropy' op failed to infer returned types}}
  %l, %lse = tt.linear_cross_entropy mean out_in %h, %w, %t chunks = 2 {label_smoothing = 1.5 : f64} : (tensor<4x8xf32>, tensor<65x8xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

// tt.linear_cross_entropy (C6): a z_loss is finite.
func.func @linear_z_loss(%h: tensor<4x8xf32>, %w: tensor<65x8xf32>, %t: tensor<4xi32>) {
  // expected-error @below {{'tt.linear_cross_entropy' op expected a z_loss that is finite and not negative, but got inf}}
  // expected-error @below {{'tt.linear_cross_entropy' op failed to infer returned types}}
  %l, %lse = tt.linear_cross_entropy mean out_in %h, %w, %t chunks = 2 {z_loss = 0x7FF0000000000000 : f64} : (tensor<4x8xf32>, tensor<65x8xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

// tt.linear_cross_entropy (C7): one bias per class.
func.func @linear_bias(%h: tensor<4x8xf32>, %w: tensor<8x65xf32>, %t: tensor<4xi32>, %b: tensor<8xf32>) {
  // expected-error @below {{'tt.linear_cross_entropy' op expected a bias of type 'tensor<65xf32>', but got 'tensor<8xf32>'}}
  // expected-error @below {{'tt.linear_cross_entropy' op failed to infer returned types}}
  %l, %lse = tt.linear_cross_entropy mean in_out %h, %w, %t bias(%b) chunks = 2 : (tensor<4x8xf32>, tensor<8x65xf32>, tensor<4xi32>, tensor<8xf32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

// tt.linear_cross_entropy_bwd: one lse per row.
func.func @linear_lse(%h: tensor<4x8xf32>, %w: tensor<65x8xf32>, %t: tensor<4xi32>, %l: tensor<f32>) {
  // expected-error @below {{'tt.linear_cross_entropy_bwd' op expected lse and d_lse of type 'tensor<4xf32>' and d_loss of type 'tensor<f32>'}}
  // expected-error @below {{'tt.linear_cross_entropy_bwd' op failed to infer returned types}}
  %dh, %dw = tt.linear_cross_entropy_bwd mean out_in %h, %w, %t, %l, %l chunks = 1 : (tensor<4x8xf32>, tensor<65x8xf32>, tensor<4xi32>, tensor<f32>, tensor<f32>) -> (tensor<4x8xf32>, tensor<65x8xf32>)
  return
}

// -----

// tt.kl_div (C1): batchmean needs a batch.
func.func @batchmean(%x: tensor<f32>) {
  // expected-error @below {{'tt.kl_div' op expected an input of rank 1 or more for batchmean, but got 'tensor<f32>'}}
  // expected-error @below {{'tt.kl_div' op failed to infer returned types}}
  %l = tt.kl_div batchmean %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

// tt.bce_with_logits (C1): one weight per column.
func.func @pos_weight(%x: tensor<4x8xf32>, %w: tensor<4xf32>) {
  // expected-error @below {{'tt.bce_with_logits' op expected a pos_weight of one element per column and the type of the logits 'tensor<4x8xf32>', but got 'tensor<4xf32>'}}
  // expected-error @below {{'tt.bce_with_logits' op failed to infer returned types}}
  %l = tt.bce_with_logits mean %x, %x pos_weight(%w) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

// One type of input and target.
func.func @mse(%x: tensor<4x8xf32>, %y: tensor<8xf32>) {
  // expected-error @below {{'tt.mse' op failed to verify that all of {input, target} have same type}}
  %l = tt.mse mean %x, %y : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<f32>
  return
}

// -----

// tt.cross_entropy (C4): z_loss is finite in f32.
func.func @large_z_loss(%z: tensor<4x65xf32>, %t: tensor<4xi32>) {
  // expected-error @below {{'tt.cross_entropy' op expected a z_loss that is finite and not negative, but got 1e+39, which 'f32' does not hold}}
  // expected-error @below {{'tt.cross_entropy' op failed to infer returned types}}
  %l, %lse = tt.cross_entropy mean %z, %t {z_loss = 1.0e39 : f64} : (tensor<4x65xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return
}
