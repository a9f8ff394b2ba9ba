// RUN: tt-opt %s --tt-verify-form=form=training --split-input-file --verify-diagnostics

// A result of an entry without a role.
// expected-error @below {{training form: result 1 of @step: expected tt.updates or tt.output}}
func.func @step(%p: tensor<4xf32> {tt.param = "p"}) -> (tensor<4xf32> {tt.updates = "p"}, tensor<4xf32>) {
  return %p, %p : tensor<4xf32>, tensor<4xf32>
}

// -----

// An update of nothing.
// expected-error @below {{training form: result 0 of @step: expected a parameter or state of name "q"}}
func.func @step(%p: tensor<4xf32> {tt.param = "p"}) -> (tensor<4xf32> {tt.updates = "q"}) {
  return %p : tensor<4xf32>
}

// -----

// An update of an input.
// expected-error @below {{training form: result 0 of @step: expected a parameter or state of name "p"}}
func.func @step(%p: tensor<4xf32> {tt.input = "p"}) -> (tensor<4xf32> {tt.updates = "p"}) {
  return %p : tensor<4xf32>
}

// -----

// An update of another type.
// expected-error @below {{training form: result 0 of @step: expected "m" of type 'tensor<8xf32>', found 'tensor<4xf32>'}}
func.func @step(%p: tensor<4xf32> {tt.param = "p"}, %m: tensor<8xf32> {tt.state = "m"}) -> (tensor<4xf32> {tt.updates = "m"}) {
  return %p : tensor<4xf32>
}

// -----

// Two updates of one tensor.
// expected-error @below {{training form: result 1 of @step: "p" is updated twice}}
func.func @step(%p: tensor<4xf32> {tt.param = "p"}) -> (tensor<4xf32> {tt.updates = "p"}, tensor<4xf32> {tt.updates = "p"}) {
  return %p, %p : tensor<4xf32>, tensor<4xf32>
}
