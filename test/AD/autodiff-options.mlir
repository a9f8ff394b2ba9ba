// RUN: tt-opt %s --tt-autodiff="function=f wrt=1" | FileCheck %s --check-prefix=NUMBER
// RUN: tt-opt %s --tt-autodiff="function=f wrt=0,1" | FileCheck %s --check-prefix=ALL
// RUN: tt-opt %s --tt-autodiff="function=f allow-unreached=true" | FileCheck %s --check-prefix=UNREACHED
// RUN: not tt-opt %s --tt-autodiff="function=g" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tt-opt %s --tt-autodiff="function=f wrt=4" 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not tt-opt %s --tt-autodiff="function=f wrt=weights" 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not tt-opt %s --tt-autodiff="function=f wrt=2" 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not tt-opt %s --tt-autodiff="function=f mode=forward" 2>&1 | FileCheck %s --check-prefix=MODE

// NUMBER:       func.func private @f_bwd(%{{.+}}: tensor<4xf32>, %{{.+}}: tensor<4xf32>) -> tensor<4xf32>
// NUMBER-SAME:  active = array<i64: 1>
// ALL:          active = array<i64: 0, 1>
// Only what is reached has a cotangent.
// UNREACHED:    active = array<i64: 0>
// NAME:         error: expected a function of name @g
// RANGE:        error: expected wrt to be params, all or argument numbers below 4, but got '4'
// WORD:         error: expected wrt to be params, all or argument numbers below 4, but got 'weights'
// INTEGER:      error: expected argument 2 to be a float tensor, but it is 'tensor<4xi32>'
// MODE:         error: expected mode to be vjp or jvp, but got 'forward'
func.func @f(%x: tensor<4xf32> {tt.param = "x"}, %y: tensor<4xf32> {tt.input = "y"},
             %i: tensor<4xi32> {tt.input = "i"},
             %u: tensor<4xf32> {tt.param = "unused"}) -> tensor<4xf32> {
  %z = tt.mul %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}
func.func @other() {
  return
}
