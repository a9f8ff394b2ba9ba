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
