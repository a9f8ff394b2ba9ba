// RUN: tt-opt %s --tt-autodiff --tt-build-train-step --split-input-file --verify-diagnostics

// A loss is one scalar (RF-33: the error has the shape, and the way out).
// expected-error @below {{expected one scalar float result to train on, but @vector returns ('tensor<8xf32>'): reduce it to a scalar, name it {tt.output = "loss"} and put tt.stop_gradient before the others, or call the adjoint with a seed}}
func.func @vector(%w: tensor<8xf32> {tt.param = "w"}) -> tensor<8xf32> {
  %l = tt.neg %w : tensor<8xf32>
  return %l : tensor<8xf32>
}

// -----

// Of several, one is the loss, and the others get no gradient.
// expected-error @below {{expected one scalar float result to train on, but @two returns ('tensor<f32>', 'tensor<f32>'): reduce it to a scalar, name it {tt.output = "loss"} and put tt.stop_gradient before the others, or call the adjoint with a seed}}
func.func @two(%w: tensor<8xf32> {tt.param = "w"}) -> (tensor<f32>, tensor<f32>) {
  %l = tt.mean %w dims = [0] : (tensor<8xf32>) -> tensor<f32>
  return %l, %l : tensor<f32>, tensor<f32>
}

// -----

// expected-error @below {{expected one scalar float result to train on, but @both returns ('tensor<f32>', 'tensor<f32>')}}
func.func @both(%w: tensor<8xf32> {tt.param = "w"}) -> (tensor<f32> {tt.output = "loss"}, tensor<f32> {tt.output = "other"}) {
  %l = tt.mean %w dims = [0] : (tensor<8xf32>) -> tensor<f32>
  return %l, %l : tensor<f32>, tensor<f32>
}
