// RUN: tt-opt %s --tt-print-residuals --verify-diagnostics -o /dev/null

// Before autodiff there is nothing to list, which is said.
// expected-warning @below {{no function here has an adjoint: --tt-autodiff makes them, and comes before --tt-print-residuals}}
module {
  func.func @square(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = tt.mul %x, %x : tensor<4xf32>
    return %y : tensor<4xf32>
  }
}
