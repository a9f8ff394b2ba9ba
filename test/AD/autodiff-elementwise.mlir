// RUN: tt-opt %s --tt-autodiff=wrt=all --split-input-file | FileCheck %s

// What each rule reads and emits. The residuals come first, the cotangent last.

// CHECK-LABEL: func.func private @neg_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.neg %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<4xf32>
func.func @neg(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.neg %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Reads the output, not the input.
// CHECK-LABEL: func.func private @exp_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.mul %[[A1]], %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<4xf32>
func.func @exp(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @log_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.div %[[A1]], %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<4xf32>
func.func @log(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.log %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @sqrt_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.mul %[[A1]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.div %[[V1]], %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V2]] : tensor<4xf32>
func.func @sqrt(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.sqrt %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @rsqrt_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.constant dense<-5.000000e-01> : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.mul %[[A1]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.mul %[[A0]], %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.mul %[[A0]], %[[V2]] : tensor<4xf32>
// CHECK-NEXT:    %[[V4:.+]] = tt.mul %[[V1]], %[[V3]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V4]] : tensor<4xf32>
func.func @rsqrt(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.rsqrt %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @square_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.mul %[[A1]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.mul %[[V1]], %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V2]] : tensor<4xf32>
func.func @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.square %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @reciprocal_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.mul %[[A0]], %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.mul %[[A1]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.neg %[[V1]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V2]] : tensor<4xf32>
func.func @reciprocal(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.reciprocal %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @tanh_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.mul %[[A0]], %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.sub %[[V0]], %[[V1]] : tensor<4xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.mul %[[A1]], %[[V2]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V3]] : tensor<4xf32>
func.func @tanh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.tanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @sigmoid_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.sub %[[V0]], %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.mul %[[A0]], %[[V1]] : tensor<4xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.mul %[[A1]], %[[V2]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V3]] : tensor<4xf32>
func.func @sigmoid(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.sigmoid %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @sin_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.cos %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.mul %[[A1]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V1]] : tensor<4xf32>
func.func @sin(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.sin %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @cos_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.sin %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.mul %[[A1]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.neg %[[V1]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V2]] : tensor<4xf32>
func.func @cos(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.cos %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @erf_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.constant dense<1.12837923> : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.mul %[[A1]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.mul %[[A0]], %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.neg %[[V2]] : tensor<4xf32>
// CHECK-NEXT:    %[[V4:.+]] = tt.exp %[[V3]] : tensor<4xf32>
// CHECK-NEXT:    %[[V5:.+]] = tt.mul %[[V1]], %[[V4]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V5]] : tensor<4xf32>
func.func @erf(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.erf %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// 0 at 0.
// CHECK-LABEL: func.func private @abs_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.compare gt %[[A0]], %[[V0]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT:    %[[V2:.+]] = tt.compare lt %[[A0]], %[[V0]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT:    %[[V3:.+]] = tt.neg %[[A1]] : tensor<4xf32>
// CHECK-NEXT:    %[[V4:.+]] = tt.select %[[V2]], %[[V3]], %[[V0]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT:    %[[V5:.+]] = tt.select %[[V1]], %[[A1]], %[[V4]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT:    return %[[V5]] : tensor<4xf32>
func.func @abs(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.abs %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// 0 at 0; reads the output.
// CHECK-LABEL: func.func private @relu_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.compare gt %[[A0]], %[[V0]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT:    %[[V2:.+]] = tt.select %[[V1]], %[[A1]], %[[V0]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT:    return %[[V2]] : tensor<4xf32>
func.func @relu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.relu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @silu_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.silu_bwd %[[A0]], %[[A1]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<4xf32>
func.func @silu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.silu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @gelu_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.gelu_bwd erf %[[A0]], %[[A1]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<4xf32>
func.func @gelu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.gelu erf %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
