// RUN: tt-opt %s --tt-tile-attention --split-input-file --verify-diagnostics

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
