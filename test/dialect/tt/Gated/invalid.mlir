// RUN: tt-opt %s --split-input-file --verify-diagnostics

// One type.
func.func @geglu(%g: tensor<4x8xf32>, %u: tensor<8xf32>) {
  // expected-error @below {{'tt.geglu' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "tt.geglu"(%g, %u) {approx = 0 : i32} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}
