// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.global_norm (C1): at least one input.
func.func @no_input() {
  // expected-error @below {{'tt.global_norm' op expected at least one operand}}
  %n, %c, %s = "tt.global_norm"() <{max_norm = 1.0 : f64}> : () -> (tensor<f32>, tensor<f32>, tensor<i32>)
  return
}

// -----

// tt.global_norm (C2): max_norm is not negative.
func.func @max_norm(%a: tensor<f64>) {
  // expected-error @below {{'tt.global_norm' op expected max_norm to be finite and not negative, but got -1.000000e+00}}
  %n, %c, %s = tt.global_norm %a max_norm = -1.0 : (tensor<f64>) -> (tensor<f32>, tensor<f32>, tensor<i32>)
  return
}

// -----

// tt.global_norm (C2): max_norm is finite.
func.func @infinite(%a: tensor<f64>) {
  // expected-error @below {{'tt.global_norm' op expected max_norm to be finite and not negative, but got INF}}
  %n, %c, %s = tt.global_norm %a max_norm = 0x7FF0000000000000 : (tensor<f64>) -> (tensor<f32>, tensor<f32>, tensor<i32>)
  return
}

// -----

// tt.adamw (C1): the gradient has the parameter's shape.
func.func @gradient(%p: tensor<8xf32>, %g: tensor<7xf32>, %s: tensor<f32>, %i: tensor<i64>) {
  // expected-error @below {{'tt.adamw' op expected gradient and moments of the parameter's shape 'tensor<8xf32>', but got 'tensor<7xf32>'}}
  %p1, %m1, %v1 = tt.adamw %p, %g, %p, %p, %s, %i, %s, %i beta1 = 0.9 beta2 = 0.95 eps = 1.0e-8 weight_decay = 0.1 : (tensor<8xf32>, tensor<7xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i64>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

// tt.adamw (C2): betas are in [0, 1).
func.func @beta(%p: tensor<8xf32>, %s: tensor<f32>, %i: tensor<i64>) {
  // expected-error @below {{'tt.adamw' op expected betas in [0, 1), but got 9.000000e-01 and 1.000000e+00}}
  %p1, %m1, %v1 = tt.adamw %p, %p, %p, %p, %s, %i, %s, %i beta1 = 0.9 beta2 = 1.0 eps = 1.0e-8 weight_decay = 0.1 : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i64>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

// tt.adamw (C2): eps is positive.
func.func @eps(%p: tensor<8xf32>, %s: tensor<f32>, %i: tensor<i64>) {
  // expected-error @below {{'tt.adamw' op expected a positive eps and a weight decay of at least 0, but got 0.000000e+00 and 1.000000e-01}}
  %p1, %m1, %v1 = tt.adamw %p, %p, %p, %p, %s, %i, %s, %i beta1 = 0.9 beta2 = 0.95 eps = 0.0 weight_decay = 0.1 : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i64>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

// tt.adamw (C2): weight decay is not negative.
func.func @weight_decay(%p: tensor<8xf32>, %s: tensor<f32>, %i: tensor<i64>) {
  // expected-error @below {{'tt.adamw' op expected a positive eps and a weight decay of at least 0, but got 1.000000e-08 and -1.000000e-01}}
  %p1, %m1, %v1 = tt.adamw %p, %p, %p, %p, %s, %i, %s, %i beta1 = 0.9 beta2 = 0.95 eps = 1.0e-8 weight_decay = -0.1 : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i64>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

// tt.adamw (C2): eps is positive in f32.
func.func @tiny_eps(%p: tensor<8xf32>, %s: tensor<f32>, %i: tensor<i64>) {
  // expected-error @below {{'tt.adamw' op expected a positive eps and a weight decay of at least 0, but got 1.000000e-60 and 1.000000e-01, which 'f32' does not hold}}
  %p1, %m1, %v1 = tt.adamw %p, %p, %p, %p, %s, %i, %s, %i beta1 = 0.9 beta2 = 0.95 eps = 1.0e-60 weight_decay = 0.1 : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i64>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}
