// RUN: tt-opt %s --tt-plan-memory --split-input-file --verify-diagnostics

// One name, two types.
tt.step @one inputs = [] outputs = [] {
  %p = tt.buffer parameters bytes = 4 {name = "p", tensor = tensor<f32>}
  tt.yield
}
// expected-error @below {{'p' has different types in two entries}}
tt.step @two inputs = [] outputs = [] {
  %p = tt.buffer parameters bytes = 8 {name = "p", tensor = tensor<2xf32>}
  tt.yield
}
