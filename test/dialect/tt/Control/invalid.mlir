// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.stop_gradient: operand and result have one type.
func.func @stop_gradient(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.stop_gradient' op requires the same type for all operands and results}}
  %0 = "tt.stop_gradient"(%x) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

// tt.remat_barrier: `input` and the result have one type.
func.func @remat_barrier(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.remat_barrier' op failed to verify that all of {input, output} have same type}}
  %0 = "tt.remat_barrier"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

// tt.grad_transform (C1): clip needs a value.
func.func @transform_value(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.grad_transform' op expected a finite value with clip}}
  %0 = tt.grad_transform clip %x : tensor<4xf32>
  return
}

// -----

// tt.grad_transform (C1): reverse has none.
func.func @transform_reverse(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.grad_transform' op expected no value with reverse}}
  %0 = tt.grad_transform reverse 1.0 %x : tensor<4xf32>
  return
}

// -----

// tt.grad_transform (C2): a limit.
func.func @transform_clip(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.grad_transform' op expected a value of at least 0 with clip, but got -1.000000}}
  %0 = tt.grad_transform clip -1.0 %x : tensor<4xf32>
  return
}

// -----

// tt.custom_vjp (C1): a function.
func.func @custom_none(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.custom_vjp' op expected callee to be a function, but @missing is none}}
  %0 = tt.custom_vjp @missing(%x) vjp = @missing : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// tt.custom_vjp (C1): its types.
// expected-note @below {{the function is here}}
func.func private @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @custom_types(%x: tensor<5xf32>) {
  // expected-error @below {{'tt.custom_vjp' op expected callee @forward to have type '(tensor<5xf32>) -> tensor<5xf32>', but got '(tensor<4xf32>) -> tensor<4xf32>'}}
  %0 = tt.custom_vjp @forward(%x) vjp = @forward : (tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

// tt.custom_vjp (C2): inputs, results, cotangents to cotangents.
// expected-note @below {{the function is here}}
func.func private @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @custom_rule(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.custom_vjp' op expected vjp @forward to have type '(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>', but got '(tensor<4xf32>) -> tensor<4xf32>'}}
  %0 = tt.custom_vjp @forward(%x) vjp = @forward : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// tt.custom_vjp (C2): one rule.
func.func private @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @custom_no_rule(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.custom_vjp' op expected either vjp = @... or a rule, but got none}}
  %0 = tt.custom_vjp @forward(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// tt.custom_vjp (C2): one rule.
func.func private @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @custom_two_rules(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.custom_vjp' op expected either vjp = @... or a rule, but got both}}
  %0 = tt.custom_vjp @forward(%x) vjp = @forward : (tensor<4xf32>) -> tensor<4xf32> rule {
  ^bb0(%a: tensor<4xf32>, %y: tensor<4xf32>, %dy: tensor<4xf32>):
    tt.yield %dy : tensor<4xf32>
  }
  return
}

// -----

// tt.custom_vjp (C2): the types of a region.
func.func private @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @custom_region(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.custom_vjp' op expected a rule of type '(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>', but got '(tensor<4xf32>) -> tensor<4xf32>'}}
  %0 = tt.custom_vjp @forward(%x) : (tensor<4xf32>) -> tensor<4xf32> rule {
  ^bb0(%dy: tensor<4xf32>):
    tt.yield %dy : tensor<4xf32>
  }
  return
}

// -----

// tt.custom_vjp (C3): inputs and tangents to tangents.
func.func private @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-note @below {{the function is here}}
func.func private @rule(%x: tensor<4xf32>, %y: tensor<4xf32>, %dy: tensor<4xf32>) -> tensor<4xf32> {
  return %dy : tensor<4xf32>
}
func.func @custom_tangent(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.custom_vjp' op expected jvp @rule to have type '(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>', but got '(tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>'}}
  %0 = tt.custom_vjp @forward(%x) vjp = @rule jvp = @rule : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// tt.repeat (C1): a count.
func.func private @layer(%x: tensor<4xf32>, %w: tensor<5xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @repeat_count(%x: tensor<4xf32>, %w: tensor<3x5xf32>) {
  // expected-error @below {{'tt.repeat' op expected count in [1, 65536], but got 0}}
  %0 = tt.repeat @layer count = 0 carried(%x) stacked(%w) : (tensor<4xf32>, tensor<3x5xf32>) -> tensor<4xf32>
  return
}

// -----

// tt.repeat (C1): as many slices.
func.func private @layer(%x: tensor<4xf32>, %w: tensor<5xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @repeat_stacked(%x: tensor<4xf32>, %w: tensor<3x5xf32>) {
  // expected-error @below {{'tt.repeat' op expected stacked operands with a first dimension of 2, but got 'tensor<3x5xf32>'}}
  %0 = tt.repeat @layer count = 2 carried(%x) stacked(%w) : (tensor<4xf32>, tensor<3x5xf32>) -> tensor<4xf32>
  return
}

// -----

// tt.repeat (C2): a layer that takes a slice.
// expected-note @below {{the function is here}}
func.func private @layer(%x: tensor<4xf32>, %w: tensor<5xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @repeat_callee(%x: tensor<4xf32>, %w: tensor<3x4xf32>) {
  // expected-error @below {{'tt.repeat' op expected callee @layer to have type '(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>', but got '(tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>'}}
  %0 = tt.repeat @layer count = 3 carried(%x) stacked(%w) : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  return
}

// -----

// tt.repeat (C3): carried values come out.
func.func private @layer(%x: tensor<4xf32>, %w: tensor<5xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @repeat_results(%x: tensor<4xf32>, %w: tensor<3x5xf32>) {
  // expected-error @below {{'tt.repeat' op expected results of the types of the carried values ('tensor<4xf32>'), but got ('tensor<5xf32>')}}
  %0 = tt.repeat @layer count = 3 carried(%x) stacked(%w) : (tensor<4xf32>, tensor<3x5xf32>) -> tensor<5xf32>
  return
}

// -----

// tt.grad_transform (C1): the value is finite in f32.
func.func @transform_large_value(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.grad_transform' op expected a finite value with scale, but got 1e+39, which 'f32' does not hold}}
  %0 = tt.grad_transform scale 1.0e39 %x : tensor<4xf32>
  return
}
