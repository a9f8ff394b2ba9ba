// RUN: tt-opt %s --tt-decompose="ops=softmax,tt.swiglu" --split-input-file | FileCheck %s --check-prefixes=CHECK,NAMED
// RUN: tt-opt %s --tt-decompose --split-input-file | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: tt-opt %s --tt-decompose=adjoints=true --split-input-file | FileCheck %s --check-prefix=ADJOINT

// The maximum is taken without a derivative.
// CHECK-LABEL: func.func @softmax
// CHECK-SAME:    (%[[X:.+]]: tensor<4x8xf32>)
// CHECK:         %[[M:.+]], %{{.+}} = tt.max %[[X]] dim = 1
// CHECK:         tt.stop_gradient %[[M]]
// CHECK:         %[[E:.+]] = tt.exp
// CHECK:         %[[S:.+]] = tt.sum %[[E]] dims = [1]
// CHECK:         %[[B:.+]] = tt.broadcast %[[S]]
// CHECK:         %[[P:.+]] = tt.div %[[E]], %[[B]]
// CHECK:         return %[[P]]
// ADJOINT-LABEL: func.func @softmax
// ADJOINT:         tt.softmax
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = tt.softmax %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// What a decomposition emits is decomposed if it is chosen.
// CHECK-LABEL: func.func @nested
// NAMED:         tt.silu
// ALL-NOT:       tt.silu
// ALL:           tt.sigmoid
// CHECK-NOT:     tt.swiglu
func.func @nested(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %z = tt.swiglu %x, %y : tensor<8xf32>
  return %z : tensor<8xf32>
}

// -----

// Results that nothing reads leave nothing behind.
// CHECK-LABEL: func.func @only_rstd
// ALL-COUNT-2:   tt.mean
// ALL:           %[[R:.+]] = tt.rsqrt
// ALL-NEXT:      return %[[R]]
// NAMED:         tt.layer_norm
func.func @only_rstd(%x: tensor<4x8xf32>, %g: tensor<8xf32>) -> tensor<4xf32> {
  %y, %m, %r = tt.layer_norm %x, %g eps = 1.0e-5 : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return %r : tensor<4xf32>
}

// -----

// An adjoint op; sums of bf16 are f32.
// ADJOINT-LABEL: func.func @adjoint
// ADJOINT-NOT:     tt.softmax_bwd
// ADJOINT:         tt.sum {{.+}} : (tensor<4x8xf32>) -> tensor<4xf32>
// ADJOINT:         %[[D:.+]] = tt.cast {{.+}} : tensor<4x8xf32> to tensor<4x8xbf16>
// ADJOINT:         return %[[D]]
func.func @adjoint(%p: tensor<4x8xbf16>, %d: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %y = tt.softmax_bwd %p, %d : tensor<4x8xbf16>
  return %y : tensor<4x8xbf16>
}
