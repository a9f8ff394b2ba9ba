// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.logsumexp (C1): dims are dimensions.
func.func @lse(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.logsumexp' op expected dims to increase inside [0, 2), but got 2 after -1}}
  // expected-error @below {{'tt.logsumexp' op failed to infer returned types}}
  %0 = tt.logsumexp %x dims = [2] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// tt.log_softmax (C1): the operand has a dimension.
func.func @log_softmax(%x: tensor<f32>) {
  // expected-error @below {{'tt.log_softmax' op expected a tensor of rank 1 or more, but got 'tensor<f32>'}}
  %0 = tt.log_softmax %x : tensor<f32>
  return
}

// -----

// tt.variance (C1): dims increase.
func.func @variance_order(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.variance' op expected dims to increase inside [0, 2), but got 0 after 1}}
  // expected-error @below {{'tt.variance' op failed to infer returned types}}
  %0 = tt.variance %x dims = [1, 0] : (tensor<4x8xf32>) -> tensor<f32>
  return
}

// -----

// tt.variance (C2): something is left to divide by.
func.func @variance_correction(%x: tensor<4x1xf32>) {
  // expected-error @below {{'tt.variance' op expected a correction in [0, 1), but got 1}}
  // expected-error @below {{'tt.variance' op failed to infer returned types}}
  %0 = tt.variance %x dims = [1] {correction = 1 : i64} : (tensor<4x1xf32>) -> tensor<4xf32>
  return
}
