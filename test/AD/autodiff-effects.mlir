// RUN: tt-opt %s --tt-autodiff --allow-unregistered-dialect --split-input-file --verify-diagnostics
// RUN: tt-opt %s --tt-autodiff=mode=jvp --allow-unregistered-dialect --split-input-file --verify-diagnostics

// Storage that is made is an effect, on a path of values or not.
func.func @buffer(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  // expected-error @below {{'tt.buffer' op has effects besides its results, or may have, and no derivative rule: derivatives repeat, move and leave out ops; do it in a function that @buffer does not call, on what that returns}}
  %b = tt.buffer arena bytes = 64 {kind = "activation"}
  %y = tt.square %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// What is not known of an op may be an effect; a call does not hide it.
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'log.print' op has effects besides its results, or may have, and no derivative rule: derivatives repeat, move and leave out ops; do it in a function that @layer does not call, on what that returns}}
  "log.print"(%x) : (tensor<4xf32>) -> ()
  return %x : tensor<4xf32>
}
func.func @logs(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  %y = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
