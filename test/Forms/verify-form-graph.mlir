// RUN: tt-opt %s --tt-verify-form=form=graph --split-input-file --verify-diagnostics

// An op of another dialect.
func.func @foreign(%x: tensor<4xf32> {tt.input = "x"}) -> tensor<4xf32> {
  // expected-error @below {{'arith.addf' op is not allowed in graph form}}
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// An op of a later form.
func.func @optimizer(%x: tensor<4xf32> {tt.input = "x"}) -> tensor<f64> {
  // expected-error @below {{'tt.sum_squares' op is not allowed in graph form}}
  %y = tt.sum_squares %x : tensor<4xf32> -> tensor<f64>
  return %y : tensor<f64>
}

// -----

// A kernel.
// expected-error @below {{graph form: expected functions, found tt.kernel}}
tt.kernel @neg(%a: tensor<8xf32>) -> tensor<8xf32> attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  %0 = tt.neg %a : tensor<8xf32>
  tt.yield %0 : tensor<8xf32>
}

// -----

// A declaration.
// expected-error @below {{graph form: expected a body of @declared}}
func.func private @declared(tensor<4xf32>)

// -----

// An argument of an entry without a role.
// expected-error @below {{graph form: expected one of tt.param, tt.input and tt.state on argument 0 of @no_role, found 0}}
func.func @no_role(%x: tensor<4xf32>) {
  return
}

// -----

// Two roles.
// expected-error @below {{graph form: expected one of tt.param, tt.input and tt.state on argument 0 of @two_roles, found 2}}
func.func @two_roles(%x: tensor<4xf32> {tt.input = "x", tt.param = "x"}) {
  return
}

// -----

// Two arguments of one name, of whatever roles.
// expected-error @below {{graph form: expected names of their own, found two arguments of @one_name called "x"}}
func.func @one_name(%x: tensor<4xf32> {tt.input = "x"}, %y: tensor<4xf32> {tt.param = "x"}) {
  return
}

// -----

// Two layers that would draw one mask.
func.func @sites(%x: tensor<4xf32> {tt.input = "x"}, %key: tensor<2xi32> {tt.input = "key"}) -> tensor<4xf32> {
  %k = tt.rng_fold %key site = 1 : tensor<2xi32>
  // expected-note @below {{the other one is here}}
  %a = tt.dropout %x, %k p = 0.1 site = 1 samples = 1 : (tensor<4xf32>, tensor<2xi32>) -> tensor<4xf32>
  // expected-error @below {{'tt.dropout' op has site 1 of its key, which another tt.dropout has too}}
  %b = tt.dropout %a, %k p = 0.1 site = 1 samples = 1 : (tensor<4xf32>, tensor<2xi32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

// Attention's dropout counts with tt.dropout's.
func.func @loss(%q: tensor<1x2x8x4xf32> {tt.param = "q"}, %key: tensor<2xi32> {tt.input = "key"}) -> tensor<1x2x8x4xf32> {
  // expected-note @below {{the other one is here}}
  %d = tt.dropout %q, %key p = 0.1 site = 1 samples = 1 : (tensor<1x2x8x4xf32>, tensor<2xi32>) -> tensor<1x2x8x4xf32>
  // expected-error @below {{'tt.attention' op has site 1 of its key, which another tt.dropout has too}}
  %o, %l = tt.attention %d, %d, %d key(%key) scale = 1.0 {dropout_p = 0.1 : f64, site = 1 : i64} : (tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<2xi32>) -> (tensor<1x2x8x4xf32>, tensor<1x2x8xf32>)
  return %o : tensor<1x2x8x4xf32>
}

// -----

// Nothing at all.
// expected-error @below {{graph form: expected a function}}
module {
}
