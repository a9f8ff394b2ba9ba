// RUN: tt-opt %s --tt-build-step=entries=f --split-input-file --verify-diagnostics

// A reader after the writer.
func.func @f(%p: tensor<8xf32> {tt.param = "p"}, %x: tensor<8xf32> {tt.input = "x"}) -> (tensor<8xf32> {tt.updates = "p"}, tensor<f32> {tt.output = "y"}) {
  %n = tt.call_kernel @sub(%p, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{reads p after the step has updated it; use the updated value, or move the update to the end}}
  %s = tt.call_kernel @sum(%p) : (tensor<8xf32>) -> tensor<f32>
  return %n, %s : tensor<8xf32>, tensor<f32>
}
tt.kernel @sub(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  %0 = tt.sub %a, %b : tensor<8xf32>
  tt.yield %0 : tensor<8xf32>
}
tt.kernel @sum(%a: tensor<8xf32>) -> tensor<f32> attributes {anchor = "row", numerics = {}, schedule = {}} {
  %0 = tt.sum %a dims = [0] : (tensor<8xf32>) -> tensor<f32>
  tt.yield %0 : tensor<f32>
}

// -----

// An argument without a role.
// expected-error @below {{argument 0 of @f: expected tt.param, tt.input or tt.state}}
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

// Two arguments of one name.
// expected-error @below {{expected one argument of the name "p", found two}}
func.func @f(%x: tensor<8xf32> {tt.param = "p"}, %y: tensor<8xf32> {tt.state = "p"}) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

// An update of nothing.
// expected-error @below {{result 0 updates "q", but @f has no such parameter or state}}
func.func @f(%x: tensor<8xf32> {tt.param = "p"}) -> (tensor<8xf32> {tt.updates = "q"}) {
  return %x : tensor<8xf32>
}

// -----

// An update of another type.
// expected-error @below {{result 0 updates "p": expected type 'tensor<8xf32>', but got 'tensor<4xf32>'}}
func.func @f(%x: tensor<8xf32> {tt.param = "p"}, %y: tensor<4xf32> {tt.input = "y"}) -> (tensor<4xf32> {tt.updates = "p"}) {
  return %y : tensor<4xf32>
}

// -----

// One value for two updates.
// expected-error @below {{result 1 updates "q" with a value that updates another tensor too}}
func.func @f(%x: tensor<8xf32> {tt.param = "p"}, %y: tensor<8xf32> {tt.param = "q"}) -> (tensor<8xf32> {tt.updates = "p"}, tensor<8xf32> {tt.updates = "q"}) {
  return %x, %x : tensor<8xf32>, tensor<8xf32>
}

// -----

// Two updates of one parameter.
// expected-error @below {{result 1 updates "p", which another result updates too}}
func.func @f(%x: tensor<8xf32> {tt.param = "p"}, %y: tensor<8xf32> {tt.input = "y"}) -> (tensor<8xf32> {tt.updates = "p"}, tensor<8xf32> {tt.updates = "p"}) {
  return %x, %y : tensor<8xf32>, tensor<8xf32>
}

// -----

// An op outside of every kernel.
func.func @f(%x: tensor<8xf32> {tt.input = "p"}) -> tensor<8xf32> {
  // expected-error @below {{'tt.neg' op cannot stand in a step; run tt-form-kernels first}}
  %y = tt.neg %x : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// A cycle of calls.
// expected-error @below {{@f is part of a cycle of calls}}
func.func @f(%x: tensor<8xf32> {tt.input = "p"}) -> tensor<8xf32> {
  %y = call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// An entry without a body.
// expected-error @below {{expected a body of this entry}}
func.func private @f(tensor<8xf32>) -> tensor<8xf32>

// -----

// A callee without a body.
// expected-error @below {{expected a body of @declared, which a step calls}}
func.func private @declared(tensor<8xf32>) -> tensor<8xf32>
func.func @f(%x: tensor<8xf32> {tt.input = "p"}) -> tensor<8xf32> {
  %y = call @declared(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// No entry of that name.
// expected-error @below {{expected a function of the name @f}}
module {
}
