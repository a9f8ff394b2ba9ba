// RUN: tt-opt %s --tt-verify-form=form=adjoint --split-input-file --verify-diagnostics

// No pair.
// expected-error @below {{adjoint form: expected a function with tt.adjoint}}
module {
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
}

// -----

// A pair whose functions are gone.
// expected-error @below {{adjoint form: expected functions @f and @f_fwd}}
func.func private @f_bwd(%x: tensor<4xf32>) -> tensor<4xf32> attributes {tt.adjoint = {primal = @f, forward = @f_fwd, active = array<i64: 0>, live = array<i64: 0>, residuals = []}} {
  return %x : tensor<4xf32>
}

// -----

// A description that lacks a part.
// expected-error @below {{adjoint form: expected primal, forward, active, live and residuals in tt.adjoint}}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> attributes {tt.adjoint = {primal = @f, forward = @f}} {
  return %x : tensor<4xf32>
}

// -----

// A residual that was dropped from the function, but not from its description.
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
// expected-error @below {{adjoint form: expected arguments ('tensor<4xf32>', 'tensor<4xf32>') by tt.adjoint, found ('tensor<4xf32>')}}
func.func private @f_bwd(%d: tensor<4xf32>) -> tensor<4xf32> attributes {tt.adjoint = {primal = @f, forward = @f, active = array<i64: 0>, live = array<i64: 0>, residuals = ["result:0"]}} {
  return %d : tensor<4xf32>
}

// -----

// A residual that the forward does not give.
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error @below {{adjoint form: unknown residual "extra:0"}}
func.func private @f_bwd(%r: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> attributes {tt.adjoint = {primal = @f, forward = @f, active = array<i64: 0>, live = array<i64: 0>, residuals = ["extra:0"]}} {
  return %d : tensor<4xf32>
}

// -----

// A cotangent of another type.
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error @below {{adjoint form: expected results ('tensor<4xf32>') by tt.adjoint, found ('tensor<4xf64>')}}
func.func private @f_bwd(%d: tensor<4xf32>) -> tensor<4xf64> attributes {tt.adjoint = {primal = @f, forward = @f, active = array<i64: 0>, live = array<i64: 0>, residuals = []}} {
  %e = tt.cast %d : tensor<4xf32> to tensor<4xf64>
  return %e : tensor<4xf64>
}
