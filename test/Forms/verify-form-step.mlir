// RUN: tt-opt %s --tt-verify-form=form=step --split-input-file --verify-diagnostics

// A function that is left.
// expected-error @below {{step form: expected steps and kernels, found func.func}}
func.func @f() {
  return
}

// -----

// A launch of nothing.
tt.step @s inputs = [] outputs = [] {
  // expected-error @below {{'tt.launch' op expected a tt.kernel of name @nothing}}
  tt.launch @nothing
  tt.yield
}

// -----

// A launch with too few operands.
tt.kernel @neg(%a: tensor<8xf32>) -> tensor<8xf32> attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  %0 = tt.neg %a : tensor<8xf32>
  tt.yield %0 : tensor<8xf32>
}
tt.step @s inputs = ["x"] outputs = [] {
  %x = tt.buffer io bytes = 32 {name = "x"}
  %v = tt.view %x at 0 : memref<8xf32>
  // expected-error @below {{'tt.launch' op expected writes of the kernel's types ('tensor<8xf32>'), found ()}}
  tt.launch @neg reads(%v : memref<8xf32>)
  tt.yield
}

// -----

// A launch on another shape.
tt.kernel @neg(%a: tensor<8xf32>) -> tensor<8xf32> attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  %0 = tt.neg %a : tensor<8xf32>
  tt.yield %0 : tensor<8xf32>
}
tt.step @s inputs = ["x"] outputs = [] {
  %x = tt.buffer io bytes = 32 {name = "x"}
  %v = tt.view %x at 0 : memref<4xf32>
  // expected-error @below {{'tt.launch' op expected reads of the kernel's types ('tensor<8xf32>'), found ('memref<4xf32>')}}
  tt.launch @neg reads(%v : memref<4xf32>) writes(%v : memref<4xf32>)
  tt.yield
}

// -----

// A kernel that nothing launches.
// expected-error @below {{'tt.kernel' op is launched by no step}}
tt.kernel @neg(%a: tensor<8xf32>) -> tensor<8xf32> attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  %0 = tt.neg %a : tensor<8xf32>
  tt.yield %0 : tensor<8xf32>
}
tt.step @s inputs = [] outputs = [] {
  tt.yield
}

// -----

// An op on values in a step.
tt.step @s inputs = [] outputs = [] {
  // expected-error @below {{'tt.constant' op is not allowed in a step}}
  %c = tt.constant dense<1.0> : tensor<4xf32>
  tt.yield
}

// -----

// An input without a buffer.
// expected-error @below {{'tt.step' op expected an io buffer for input "x"}}
tt.step @s inputs = ["x"] outputs = [] {
  tt.yield
}

// -----

// Two buffers of one input.
tt.step @s inputs = ["x"] outputs = [] {
  %x = tt.buffer io bytes = 32 {name = "x"}
  // expected-error @below {{'tt.buffer' op is a second io buffer of the name 'x'}}
  %y = tt.buffer io bytes = 32 {name = "x"}
  tt.yield
}

// -----

// An output that is not yielded.
// expected-error @below {{'tt.step' op expected 1 yielded views for its outputs, found 0}}
tt.step @s inputs = [] outputs = ["y"] {
  tt.yield
}

// -----

// No step.
// expected-error @below {{step form: expected a tt.step}}
module {
}
