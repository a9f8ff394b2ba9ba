// RUN: not tt-opt %s --tt-decompose=ops=softmax,add 2>&1 | FileCheck %s
// CHECK: error: expected ops to be names of ops with a decomposition, but got 'add'
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.add %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
