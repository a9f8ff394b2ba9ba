// RUN: tt-opt %s --tt-autodiff --tt-build-train-step --split-input-file --verify-diagnostics

// The entry has a step and a seed of its own; a loss gets its key ready-made.
// expected-error @below {{expected no input of the name "seed": the training step adds one of its own}}
func.func @seed(%w: tensor<8xf32> {tt.param = "w"}, %seed: tensor<i64> {tt.input = "seed"}) -> tensor<f32> {
  // expected-note @-1 {{the step's random key is an input "key" of type tensor<2xi32>}}
  %l = tt.mean %w dims = [0] : (tensor<8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @below {{expected no input of the name "learning_rate": the training step adds one of its own}}
func.func @rate(%w: tensor<8xf32> {tt.param = "w"}, %r: tensor<f32> {tt.input = "learning_rate"}) -> tensor<f32> {
  %l = tt.mean %w dims = [0] : (tensor<8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// expected-error @below {{expected 'tensor<2xi32>' of the input "key", but got 'tensor<i64>': the step's random key is an input "key" of type tensor<2xi32>}}
func.func @key(%w: tensor<8xf32> {tt.param = "w"}, %k: tensor<i64> {tt.input = "key"}) -> tensor<f32> {
  %l = tt.mean %w dims = [0] : (tensor<8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
