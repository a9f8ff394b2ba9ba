// RUN: tt-opt %s --tt-tile-attention --split-input-file --verify-diagnostics

func.func @window(%q: tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32> {
  // expected-error @below {{'tt.attention' op with window has no tiled form yet}}
  %o, %lse = tt.attention %q, %q, %q causal scale = 0.5 {window_left = 3 : i64}
      : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>)
     -> (tensor<1x1x8x4xf32>, tensor<1x1x8xf32>)
  return %o : tensor<1x1x8x4xf32>
}

// -----

func.func @adjoint_softcap(%q: tensor<1x1x8x4xf32>, %l: tensor<1x1x8xf32>) -> tensor<1x1x8x4xf32> {
  // expected-error @below {{'tt.attention_bwd' op with softcap has no tiled form yet}}
  %dq, %dk, %dv = tt.attention_bwd %q, %q, %q, %q, %l, %q scale = 0.5 {softcap = 3.0 : f64}
      : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>,
         tensor<1x1x8xf32>, tensor<1x1x8x4xf32>)
     -> (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>)
  return %dq : tensor<1x1x8x4xf32>
}

// -----

tt.kernel @prologue(%q: tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
    attributes {anchor = "attention", numerics = {}, schedule = {}} {
  // expected-error @below {{expected 'tt.attention' alone in its kernel, but found 'tt.neg'}}
  %k = tt.neg %q : tensor<1x1x8x4xf32>
  %o, %lse = tt.attention %q, %k, %q scale = 0.5
      : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>)
     -> (tensor<1x1x8x4xf32>, tensor<1x1x8xf32>)
  tt.yield %o : tensor<1x1x8x4xf32>
}

// -----

// expected-error @below {{expected result 1 to be a result of 'tt.attention' of its own}}
tt.kernel @twice(%q: tensor<1x1x8x4xf32>) -> (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>)
    attributes {anchor = "attention", numerics = {}, schedule = {}} {
  %o, %lse = tt.attention %q, %q, %q scale = 0.5
      : (tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>)
     -> (tensor<1x1x8x4xf32>, tensor<1x1x8xf32>)
  tt.yield %o, %o : tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>
}
