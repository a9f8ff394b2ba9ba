// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.min (C1): a dimension.
func.func @min_dim(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.min' op expected a dimension in [0, 2), but got 2}}
  // expected-error @below {{'tt.min' op failed to infer returned types}}
  %0, %1 = tt.min %x dim = 2 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi32>)
  return
}

// -----

// tt.argmax (C1): a dimension.
func.func @argmax_dim(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.argmax' op expected a dimension in [0, 2), but got 2}}
  // expected-error @below {{'tt.argmax' op failed to infer returned types}}
  %0 = tt.argmax %x dim = 2 : (tensor<4x8xf32>) -> tensor<4xi32>
  return
}

// -----

// tt.argmin (C1): a dimension.
func.func @argmin_dim(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.argmin' op expected a dimension in [0, 2), but got 2}}
  // expected-error @below {{'tt.argmin' op failed to infer returned types}}
  %0 = tt.argmin %x dim = 2 : (tensor<4x8xf32>) -> tensor<4xi32>
  return
}

// -----

// tt.cumsum (C1): a dimension.
func.func @cumsum_dim(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.cumsum' op expected a dimension in [0, 2), but got 2}}
  // expected-error @below {{'tt.cumsum' op failed to infer returned types}}
  %0 = tt.cumsum %x dim = 2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// tt.sort (C1): a dimension.
func.func @sort_dim(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.sort' op expected a dimension in [0, 2), but got 2}}
  // expected-error @below {{'tt.sort' op failed to infer returned types}}
  %0, %1 = tt.sort %x dim = 2 : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return
}

// -----

// tt.topk (C1): a dimension.
func.func @topk_dim(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.topk' op expected a dimension in [0, 2), but got 2}}
  // expected-error @below {{'tt.topk' op failed to infer returned types}}
  %0, %1 = tt.topk %x dim = 2 k = 1 : (tensor<4x8xf32>) -> (tensor<4x1xf32>, tensor<4x1xi32>)
  return
}

// -----

// tt.topk (C2): k elements are there.
func.func @topk_k(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.topk' op expected k in [1, 8], but got 9}}
  // expected-error @below {{'tt.topk' op failed to infer returned types}}
  %0, %1 = tt.topk %x dim = 1 k = 9 : (tensor<4x8xf32>) -> (tensor<4x9xf32>, tensor<4x9xi32>)
  return
}
