// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.attention_bwd has the constraints of tt.attention.
func.func @bwd_heads(%q: tensor<1x3x8x16xf32>, %k: tensor<1x2x8x16xf32>, %lse: tensor<1x3x8xf32>) {
  // expected-error @below {{'tt.attention_bwd' op expected the number of query heads to be a multiple of the key heads, but got 3 and 2}}
  // expected-error @below {{'tt.attention_bwd' op failed to infer returned types}}
  %dq, %dk, %dv = tt.attention_bwd %q, %k, %k, %q, %lse, %q scale = 1.0 : (tensor<1x3x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x3x8x16xf32>, tensor<1x3x8xf32>, tensor<1x3x8x16xf32>) -> (tensor<1x3x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>)
  return
}

// -----

// tt.attention_bwd (C8): lse is [B, H, T].
func.func @bwd_lse(%q: tensor<1x2x8x16xf32>, %lse: tensor<1x2x7xf32>) {
  // expected-error @below {{'tt.attention_bwd' op expected output and d_output of type 'tensor<1x2x8x16xf32>' and lse of type 'tensor<1x2x8xf32>'}}
  // expected-error @below {{'tt.attention_bwd' op failed to infer returned types}}
  %dq, %dk, %dv = tt.attention_bwd %q, %q, %q, %q, %lse, %q scale = 1.0 : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x7xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>)
  return
}

// -----

// tt.attention_bwd (C8): d_lse has the type of lse.
func.func @bwd_d_lse(%q: tensor<1x2x8x16xf32>, %lse: tensor<1x2x8xf32>, %d: tensor<1x2x7xf32>) {
  // expected-error @below {{'tt.attention_bwd' op expected output and d_output of type 'tensor<1x2x8x16xf32>' and lse of type 'tensor<1x2x8xf32>'}}
  // expected-error @below {{'tt.attention_bwd' op failed to infer returned types}}
  %dq, %dk, %dv = tt.attention_bwd %q, %q, %q, %q, %lse, %q d_lse(%d) scale = 1.0 : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8xf32>, tensor<1x2x8x16xf32>, tensor<1x2x7xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>)
  return
}

// -----

// tt.attention_bwd (C9): d_bias is that of a bias.
func.func @bwd_d_bias(%q: tensor<1x2x8x16xf32>, %lse: tensor<1x2x8xf32>) {
  // expected-error @below {{'tt.attention_bwd' op expected a bias together with with_d_bias}}
  // expected-error @below {{'tt.attention_bwd' op failed to infer returned types}}
  %dq, %dk, %dv, %db = tt.attention_bwd %q, %q, %q, %q, %lse, %q with_d_bias scale = 1.0 : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>)
  return
}
