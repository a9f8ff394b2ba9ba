// RUN: tt-opt %s --tt-autodiff --split-input-file --verify-diagnostics

// A parameter that the loss does not reach.
// expected-error @below {{the results of @unreached do not depend on argument 1 (parameter "h.0.bias"): freeze it with tt.frozen, or allow-unreached=true}}
func.func @unreached(%x: tensor<4xf32> {tt.param = "x"}, %y: tensor<4xf32> {tt.param = "h.0.bias"}) -> tensor<4xf32> {
  %z = tt.neg %x : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// Cut off by stop_gradient.
// expected-error @below {{the results of @stopped do not depend on argument 0 (parameter "x"): freeze it with tt.frozen, or allow-unreached=true}}
func.func @stopped(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  %y = tt.stop_gradient %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A cycle of calls.
func.func @a(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  %y = call @b(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @b(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'func.call' op closes a cycle of calls through @a: write the repetition with tt.repeat, or as calls of other functions in a row}}
  %y = call @a(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A callee without a body.
// expected-error @below {{expected a definition of @declared to differentiate}}
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
func.func @external(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  %y = call @declared(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// An op without a rule or a decomposition.
func.func @no_rule(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<f64> {
  // expected-error @below {{'tt.sum_squares' op has no VJP rule, but its results reach the loss from a differentiated argument; rewrite it with ops that have one, or cut the path with tt.stop_gradient}}
  %y = tt.sum_squares %x : tensor<4xf32> -> tensor<f64>
  return %y : tensor<f64>
}

// -----

// RF-32 C: every kind of op without a rule is named, with the place of the first.
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'arith.mulf' op has no VJP rule, but its results reach the loss}}
  %y = arith.mulf %x, %x : tensor<4xf32>
  %z = arith.mulf %y, %x : tensor<4xf32>
  return %z : tensor<4xf32>
}
func.func @kinds(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  %0 = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @layer(%0) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-note @below {{'arith.addf' has none either}}
  %2 = arith.addf %1, %x : tensor<4xf32>
  %3 = tt.stop_gradient %2 : tensor<4xf32>
  %4 = arith.subf %3, %3 : tensor<4xf32>
  %5 = tt.mul %2, %4 : tensor<4xf32>
  return %5 : tensor<4xf32>
}

// -----

// An op of another dialect without a rule.
func.func @foreign(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  // expected-error @below {{'arith.addf' op has no VJP rule, but its results reach the loss from a differentiated argument; rewrite it with ops that have one, or cut the path with tt.stop_gradient}}
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// No parameter.
// expected-error @below {{expected an argument to differentiate (wrt=params), but @no_parameter has none}}
func.func @no_parameter(%x: tensor<4xf32> {tt.input = "x"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// All frozen.
// expected-error @below {{expected an argument to differentiate (wrt=params), but @all_frozen has none}}
func.func @all_frozen(%x: tensor<4xf32> {tt.param = "x", tt.frozen}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// No float result.
// expected-error @below {{expected a float result to differentiate, but @no_float returns ('tensor<4xi1>'): return the float value that is to be differentiated}}
func.func @no_float(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xi1> {
  %b = tt.compare gt %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %b : tensor<4xi1>
}

// -----

// No result at all.
// expected-error @below {{expected a float result to differentiate, but @no_result returns (): return the float value that is to be differentiated}}
func.func @no_result(%x: tensor<4xf32> {tt.param = "x"}) {
  return
}

// -----

// Two entries and no option.
func.func @one(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error @below {{expected one public function or the option function=, but found @one and @two}}
func.func @two(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// No entry.
// expected-error @below {{expected a public function to differentiate, found none}}
module {
func.func private @hidden(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
}

// -----

// A rule without a body.
func.func private @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error @below {{expected a definition of @rule to differentiate}}
func.func private @rule(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
func.func @rule_declared(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  %y = tt.custom_vjp @forward(%x) vjp = @rule : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A rule that calls itself.
func.func private @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @rule(%x: tensor<4xf32>, %y: tensor<4xf32>, %dy: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'func.call' op closes a cycle of calls through @rule: write the repetition with tt.repeat, or as calls of other functions in a row}}
  %dx = call @rule(%x, %y, %dy) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %dx : tensor<4xf32>
}
func.func @rule_recursive(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  %y = tt.custom_vjp @forward(%x) vjp = @rule : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A rule with control flow.
func.func private @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @rule(%x: tensor<4xf32>, %y: tensor<4xf32>, %dy: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant true
  // expected-error @below {{'scf.if' op has a region: control flow cannot be differentiated, use tt.select}}
  %dx = scf.if %c -> (tensor<4xf32>) {
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %dy : tensor<4xf32>
  }
  return %dx : tensor<4xf32>
}
func.func @rule_branches(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  %y = tt.custom_vjp @forward(%x) vjp = @rule : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A parameter that only a comparison reads.
// expected-error @below {{the results of @compared do not depend on argument 1 (parameter "u"): freeze it with tt.frozen, or allow-unreached=true}}
func.func @compared(%x: tensor<4xf32> {tt.param = "x"}, %u: tensor<4xf32> {tt.param = "u"}) -> tensor<4xf32> {
  %c = tt.compare gt %u, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %zero = tt.constant dense<0.0> : tensor<4xf32>
  %y = tt.select %c, %x, %zero : tensor<4xi1>, tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A parameter that the callee does not read.
func.func private @first(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// expected-error @below {{the results of @ignored do not depend on argument 1 (parameter "u"): freeze it with tt.frozen, or allow-unreached=true}}
func.func @ignored(%x: tensor<4xf32> {tt.param = "x"}, %u: tensor<4xf32> {tt.param = "u"}) -> tensor<4xf32> {
  %y = call @first(%x, %u) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
