// RUN: tt-opt %s --tt-verify-form=form=kernels --split-input-file --verify-diagnostics

// An op that no kernel took in.
func.func @left_over(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tt.neg' op is not allowed outside of a kernel in kernels form}}
  %y = tt.neg %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A broadcast needs storage outside of a kernel.
func.func @broadcast(%x: tensor<4xf32>) -> tensor<2x4xf32> {
  // expected-error @below {{'tt.broadcast' op is not allowed outside of a kernel in kernels form}}
  %y = tt.broadcast %x dims = [1] : tensor<4xf32> -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// A view inside a kernel.
tt.kernel @view(%a: tensor<2x4xf32>) -> tensor<8xf32> attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  // expected-error @below {{'tt.reshape' op is not allowed in a kernel}}
  %0 = tt.reshape %a : tensor<2x4xf32> -> tensor<8xf32>
  tt.yield %0 : tensor<8xf32>
}

// -----

// An anchor that no emitter knows.
// expected-error @below {{'tt.kernel' op kernels form: unknown anchor 'winograd'}}
tt.kernel @anchor(%a: tensor<8xf32>) -> tensor<8xf32> attributes {anchor = "winograd", numerics = {}, schedule = {}} {
  %0 = tt.neg %a : tensor<8xf32>
  tt.yield %0 : tensor<8xf32>
}

// -----

// A step comes later.
// expected-error @below {{kernels form: expected functions and kernels, found tt.step}}
tt.step @s inputs = [] outputs = [] {
  tt.yield
}
