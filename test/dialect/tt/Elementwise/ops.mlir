// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @binary
func.func @binary(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {
  // CHECK: tt.add %{{.+}}, %{{.+}} : tensor<4x8xf32>
  %0 = tt.add %x, %y : tensor<4x8xf32>
  // CHECK: tt.sub %{{.+}}, %{{.+}} : tensor<4x8xf32>
  %1 = tt.sub %x, %y : tensor<4x8xf32>
  // CHECK: tt.mul %{{.+}}, %{{.+}} : tensor<4x8xf32>
  %2 = tt.mul %x, %y : tensor<4x8xf32>
  // CHECK: tt.div %{{.+}}, %{{.+}} : tensor<4x8xf32>
  %3 = tt.div %x, %y : tensor<4x8xf32>
  // CHECK: tt.maximum %{{.+}}, %{{.+}} : tensor<4x8xf32>
  %4 = tt.maximum %x, %y : tensor<4x8xf32>
  // CHECK: tt.minimum %{{.+}}, %{{.+}} : tensor<4x8xf32>
  %5 = tt.minimum %x, %y : tensor<4x8xf32>
  // CHECK: tt.swiglu %{{.+}}, %{{.+}} : tensor<4x8xf32>
  %6 = tt.swiglu %x, %y : tensor<4x8xf32>
  // CHECK: tt.silu_bwd %{{.+}}, %{{.+}} : tensor<4x8xf32>
  %7 = tt.silu_bwd %x, %y : tensor<4x8xf32>
  // CHECK: tt.gelu_bwd tanh %{{.+}}, %{{.+}} : tensor<4x8xf32>
  %8 = tt.gelu_bwd tanh %x, %y : tensor<4x8xf32>
  // CHECK: tt.gelu_bwd erf %{{.+}}, %{{.+}} : tensor<4x8xf32>
  %9 = tt.gelu_bwd erf %x, %y : tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @unary
func.func @unary(%x: tensor<4x8xf32>) {
  // CHECK: tt.neg %{{.+}} : tensor<4x8xf32>
  %0 = tt.neg %x : tensor<4x8xf32>
  // CHECK: tt.abs %{{.+}} : tensor<4x8xf32>
  %1 = tt.abs %x : tensor<4x8xf32>
  // CHECK: tt.exp %{{.+}} : tensor<4x8xf32>
  %2 = tt.exp %x : tensor<4x8xf32>
  // CHECK: tt.log %{{.+}} : tensor<4x8xf32>
  %3 = tt.log %x : tensor<4x8xf32>
  // CHECK: tt.sqrt %{{.+}} : tensor<4x8xf32>
  %4 = tt.sqrt %x : tensor<4x8xf32>
  // CHECK: tt.rsqrt %{{.+}} : tensor<4x8xf32>
  %5 = tt.rsqrt %x : tensor<4x8xf32>
  // CHECK: tt.square %{{.+}} : tensor<4x8xf32>
  %6 = tt.square %x : tensor<4x8xf32>
  // CHECK: tt.reciprocal %{{.+}} : tensor<4x8xf32>
  %7 = tt.reciprocal %x : tensor<4x8xf32>
  // CHECK: tt.tanh %{{.+}} : tensor<4x8xf32>
  %8 = tt.tanh %x : tensor<4x8xf32>
  // CHECK: tt.sigmoid %{{.+}} : tensor<4x8xf32>
  %9 = tt.sigmoid %x : tensor<4x8xf32>
  // CHECK: tt.sin %{{.+}} : tensor<4x8xf32>
  %10 = tt.sin %x : tensor<4x8xf32>
  // CHECK: tt.cos %{{.+}} : tensor<4x8xf32>
  %11 = tt.cos %x : tensor<4x8xf32>
  // CHECK: tt.erf %{{.+}} : tensor<4x8xf32>
  %12 = tt.erf %x : tensor<4x8xf32>
  // CHECK: tt.relu %{{.+}} : tensor<4x8xf32>
  %13 = tt.relu %x : tensor<4x8xf32>
  // CHECK: tt.silu %{{.+}} : tensor<4x8xf32>
  %14 = tt.silu %x : tensor<4x8xf32>
  // CHECK: tt.gelu tanh %{{.+}} : tensor<4x8xf32>
  %15 = tt.gelu tanh %x : tensor<4x8xf32>
  // CHECK: tt.gelu erf %{{.+}} : tensor<4x8xf32>
  %16 = tt.gelu erf %x : tensor<4x8xf32>
  return
}

// Every float type, and rank 0.
// CHECK-LABEL: func.func @types
func.func @types(%a: tensor<f64>, %b: tensor<2xbf16>, %c: tensor<2x3x4xf16>) {
  // CHECK: tt.add %{{.+}}, %{{.+}} : tensor<f64>
  %0 = tt.add %a, %a : tensor<f64>
  // CHECK: tt.exp %{{.+}} : tensor<2xbf16>
  %1 = tt.exp %b : tensor<2xbf16>
  // CHECK: tt.swiglu %{{.+}}, %{{.+}} : tensor<2x3x4xf16>
  %2 = tt.swiglu %c, %c : tensor<2x3x4xf16>
  return
}

// CHECK-LABEL: func.func @compare
func.func @compare(%x: tensor<4xf32>, %i: tensor<4xi32>) {
  // CHECK: tt.compare eq %{{.+}}, %{{.+}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %0 = tt.compare eq %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: tt.compare ne %{{.+}}, %{{.+}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = tt.compare ne %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: tt.compare lt %{{.+}}, %{{.+}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %2 = tt.compare lt %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK: tt.compare le %{{.+}}, %{{.+}} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %3 = tt.compare le %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  // CHECK: tt.compare gt %{{.+}}, %{{.+}} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %4 = tt.compare gt %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  // CHECK: tt.compare ge %{{.+}}, %{{.+}} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %5 = tt.compare ge %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return
}

// CHECK-LABEL: func.func @select
func.func @select(%c: tensor<4xi1>, %x: tensor<4xf32>, %i: tensor<4xi64>) {
  // CHECK: tt.select %{{.+}}, %{{.+}}, %{{.+}} : tensor<4xi1>, tensor<4xf32>
  %0 = tt.select %c, %x, %x : tensor<4xi1>, tensor<4xf32>
  // CHECK: tt.select %{{.+}}, %{{.+}}, %{{.+}} : tensor<4xi1>, tensor<4xi64>
  %1 = tt.select %c, %i, %i : tensor<4xi1>, tensor<4xi64>
  return
}

// CHECK-LABEL: func.func @cast
func.func @cast(%x: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>) {
  // CHECK: tt.cast %{{.+}} : tensor<4xf32> to tensor<4xbf16>
  %0 = tt.cast %x : tensor<4xf32> to tensor<4xbf16>
  // CHECK: tt.cast %{{.+}} : tensor<4xf32> to tensor<4xf64>
  %1 = tt.cast %x : tensor<4xf32> to tensor<4xf64>
  // CHECK: tt.cast %{{.+}} : tensor<4xi32> to tensor<4xf32>
  %2 = tt.cast %i : tensor<4xi32> to tensor<4xf32>
  // CHECK: tt.cast %{{.+}} : tensor<4xf32> to tensor<4xi8>
  %3 = tt.cast %x : tensor<4xf32> to tensor<4xi8>
  // CHECK: tt.cast %{{.+}} : tensor<4xi1> to tensor<4xf16>
  %4 = tt.cast %b : tensor<4xi1> to tensor<4xf16>
  return
}

// CHECK-LABEL: func.func @powers
func.func @powers(%x: tensor<4x8xf32>) {
  // CHECK: tt.pow %{{.+}} exponent = 2.500000e+00 : tensor<4x8xf32>
  %0 = tt.pow %x exponent = 2.500000e+00 : tensor<4x8xf32>
  // CHECK: tt.relu2 %{{.+}} : tensor<4x8xf32>
  %1 = tt.relu2 %x : tensor<4x8xf32>
  // CHECK: tt.softplus %{{.+}} : tensor<4x8xf32>
  %2 = tt.softplus %x : tensor<4x8xf32>
  // CHECK: tt.log1p %{{.+}} : tensor<4x8xf32>
  %3 = tt.log1p %x : tensor<4x8xf32>
  // CHECK: tt.expm1 %{{.+}} : tensor<4x8xf32>
  %4 = tt.expm1 %x : tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @rounding
func.func @rounding(%x: tensor<4x8xf32>) {
  // CHECK: tt.round %{{.+}} : tensor<4x8xf32>
  %0 = tt.round %x : tensor<4x8xf32>
  // CHECK: tt.floor %{{.+}} : tensor<4x8xf32>
  %1 = tt.floor %x : tensor<4x8xf32>
  // CHECK: tt.ceil %{{.+}} : tensor<4x8xf32>
  %2 = tt.ceil %x : tensor<4x8xf32>
  // CHECK: tt.sign %{{.+}} : tensor<4x8xf32>
  %3 = tt.sign %x : tensor<4x8xf32>
  // CHECK: tt.clamp %{{.+}} low = -1.000000e+00 high = 2.000000e+00 : tensor<4x8xf32>
  %4 = tt.clamp %x low = -1.000000e+00 high = 2.000000e+00 : tensor<4x8xf32>
  // CHECK: tt.clamp %{{.+}} low = 0xFFF0000000000000 high = 2.000000e+00 : tensor<4x8xf32>
  %5 = tt.clamp %x low = 0xFFF0000000000000 high = 2.000000e+00 : tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @numbers
func.func @numbers(%p: tensor<4xi32>, %q: tensor<4xi64>) {
  // CHECK: tt.add %{{.+}}, %{{.+}} : tensor<4xi32>
  %0 = tt.add %p, %p : tensor<4xi32>
  // CHECK: tt.sub %{{.+}}, %{{.+}} : tensor<4xi64>
  %1 = tt.sub %q, %q : tensor<4xi64>
  // CHECK: tt.mul %{{.+}}, %{{.+}} : tensor<4xi32>
  %2 = tt.mul %p, %p : tensor<4xi32>
  // CHECK: tt.maximum %{{.+}}, %{{.+}} : tensor<4xi64>
  %3 = tt.maximum %q, %q : tensor<4xi64>
  // CHECK: tt.minimum %{{.+}}, %{{.+}} : tensor<4xi32>
  %4 = tt.minimum %p, %p : tensor<4xi32>
  return
}
