// RUN: tt-opt %s --tt-autodiff=mode=jvp --split-input-file --verify-diagnostics

func.func private @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func private @rule(%x: tensor<4xf32>, %y: tensor<4xf32>, %dy: tensor<4xf32>) -> tensor<4xf32> {
  return %dy : tensor<4xf32>
}
func.func @no_forward_rule(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  // expected-error @below {{'tt.custom_vjp' op has no JVP rule, and forward mode cannot use the reverse one: name a function with jvp = @...}}
  %y = tt.custom_vjp @forward(%x) vjp = @rule : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @clip(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  // expected-error @below {{'tt.grad_transform' op clip has no JVP rule: it is not linear in the cotangent, so no tangent rule agrees with it; use reverse mode, or scale or reverse, which have one}}
  %y = tt.grad_transform clip 1.0 %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @layer(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @unexpanded(%x: tensor<4xf32> {tt.param = "x"}, %w: tensor<2x4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tt.repeat' op must become calls before it can be differentiated: run --tt-expand-repeat first}}
  %y = tt.repeat @layer count = 2 carried(%x) stacked(%w) : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @identity(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @region(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  // expected-error @below {{'tt.custom_vjp' op must have its rule as a function before it can be differentiated: run --tt-outline-rules first}}
  %y = tt.custom_vjp @identity(%x) : (tensor<4xf32>) -> tensor<4xf32> rule {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>, %dy: tensor<4xf32>):
    tt.yield %dy : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// A custom rule does not hide a recursion of the function that it stands for.
func.func private @turn(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tt.custom_vjp' op closes a cycle of calls through @turn: write the repetition with tt.repeat, or as calls of other functions in a row}}
  %y = tt.custom_vjp @turn(%x) vjp = @rule : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @rule(%x: tensor<4xf32>, %y: tensor<4xf32>, %dy: tensor<4xf32>) -> tensor<4xf32> {
  return %dy : tensor<4xf32>
}
func.func @recursive(%x: tensor<4xf32> {tt.param = "x"}) -> tensor<4xf32> {
  %y = call @turn(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Data decide: refused by name.
func.func @branches(%x: tensor<4xf32> {tt.param = "x"}, %c: i1) -> tensor<4xf32> {
  // expected-error @below {{'scf.if' op has a region: control flow cannot be differentiated, use tt.select}}
  %y = scf.if %c -> (tensor<4xf32>) {
    %a = tt.neg %x : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
