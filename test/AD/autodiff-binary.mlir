// RUN: tt-opt %s --tt-autodiff=wrt=all --split-input-file | FileCheck %s

// No residual at all.
// CHECK-LABEL: func.func private @add_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT:    return %[[A0]], %[[A0]] : tensor<4xf32>, tensor<4xf32>
func.func @add(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %z = tt.add %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @sub_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT:    %[[V0:.+]] = tt.neg %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    return %[[A0]], %[[V0]] : tensor<4xf32>, tensor<4xf32>
func.func @sub(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %z = tt.sub %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @mul_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>, %[[A2:.+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT:    %[[V0:.+]] = tt.mul %[[A2]], %[[A1]] : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.mul %[[A2]], %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V0]], %[[V1]] : tensor<4xf32>, tensor<4xf32>
func.func @mul(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %z = tt.mul %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// Both uses of %x contribute; the two cotangents are added once.
// CHECK-LABEL: func.func private @mul_itself_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.mul %[[A1]], %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.mul %[[A1]], %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.add %[[V0]], %[[V1]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V2]] : tensor<4xf32>
func.func @mul_itself(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = tt.mul %x, %x : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @div_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>, %[[A2:.+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT:    %[[V0:.+]] = tt.div %[[A2]], %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.div %[[A2]], %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.mul %[[V1]], %[[A1]] : tensor<4xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.neg %[[V2]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V0]], %[[V3]] : tensor<4xf32>, tensor<4xf32>
func.func @div(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %z = tt.div %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// A tie goes to the left.
// CHECK-LABEL: func.func private @maximum_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>, %[[A2:.+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT:    %[[V0:.+]] = tt.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.compare ge %[[A0]], %[[A1]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT:    %[[V2:.+]] = tt.select %[[V1]], %[[A2]], %[[V0]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %[[V4:.+]] = tt.compare ge %[[A0]], %[[A1]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT:    %[[V5:.+]] = tt.select %[[V4]], %[[V3]], %[[A2]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT:    return %[[V2]], %[[V5]] : tensor<4xf32>, tensor<4xf32>
func.func @maximum(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %z = tt.maximum %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @minimum_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>, %[[A2:.+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT:    %[[V0:.+]] = tt.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.compare le %[[A0]], %[[A1]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT:    %[[V2:.+]] = tt.select %[[V1]], %[[A2]], %[[V0]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %[[V4:.+]] = tt.compare le %[[A0]], %[[A1]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT:    %[[V5:.+]] = tt.select %[[V4]], %[[V3]], %[[A2]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT:    return %[[V2]], %[[V5]] : tensor<4xf32>, tensor<4xf32>
func.func @minimum(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %z = tt.minimum %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @swiglu_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>, %[[A2:.+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT:    %[[V0:.+]] = tt.mul %[[A2]], %[[A1]] : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.silu_bwd %[[A0]], %[[V0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.silu %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.mul %[[A2]], %[[V2]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V1]], %[[V3]] : tensor<4xf32>, tensor<4xf32>
func.func @swiglu(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %z = tt.swiglu %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @select_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xi1>, %[[A1:.+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT:    %[[V0:.+]] = tt.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.select %[[A0]], %[[A1]], %[[V0]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.select %[[A0]], %[[V0]], %[[A1]] : tensor<4xi1>, tensor<4xf32>
// CHECK-NEXT:    return %[[V1]], %[[V2]] : tensor<4xf32>, tensor<4xf32>
func.func @select(%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %z = tt.select %c, %x, %y : tensor<4xi1>, tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// The cotangent of an f32 value is f32 although it came as bf16.
// CHECK-LABEL: func.func private @cast_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xbf16>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.cast %[[A0]] : tensor<4xbf16> to tensor<4xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<4xf32>
func.func @cast(%x: tensor<4xf32>) -> tensor<4xbf16> {
  %z = tt.cast %x : tensor<4xf32> to tensor<4xbf16>
  return %z : tensor<4xbf16>
}

// -----

// Adjoint ops have rules of their own: gradients of gradients.
// CHECK-LABEL: func.func private @second_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xf32>, %[[A1:.+]]: tensor<4xf32>, %[[A2:.+]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT:    %[[V0:.+]] = tt.mul %[[A2]], %[[A1]] : tensor<4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.sigmoid %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.neg %[[A0]] : tensor<4xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.sigmoid %[[V2]] : tensor<4xf32>
// CHECK-NEXT:    %[[V4:.+]] = tt.constant dense<-2.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %[[V5:.+]] = tt.mul %[[V1]], %[[V4]] : tensor<4xf32>
// CHECK-NEXT:    %[[V6:.+]] = tt.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %[[V7:.+]] = tt.add %[[V5]], %[[V6]] : tensor<4xf32>
// CHECK-NEXT:    %[[V8:.+]] = tt.mul %[[A0]], %[[V7]] : tensor<4xf32>
// CHECK-NEXT:    %[[V9:.+]] = tt.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %[[V10:.+]] = tt.add %[[V8]], %[[V9]] : tensor<4xf32>
// CHECK-NEXT:    %[[V11:.+]] = tt.mul %[[V1]], %[[V3]] : tensor<4xf32>
// CHECK-NEXT:    %[[V12:.+]] = tt.mul %[[V11]], %[[V10]] : tensor<4xf32>
// CHECK-NEXT:    %[[V13:.+]] = tt.mul %[[V0]], %[[V12]] : tensor<4xf32>
// CHECK-NEXT:    %[[V14:.+]] = tt.silu_bwd %[[A0]], %[[A2]] : tensor<4xf32>
// CHECK-NEXT:    return %[[V13]], %[[V14]] : tensor<4xf32>, tensor<4xf32>
func.func @second(%x: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %z = tt.silu_bwd %x, %d : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func private @second_gelu_bwd
// CHECK:         tt.gelu_bwd erf
// CHECK-NOT:     tt.tanh
func.func @second_gelu(%x: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %z = tt.gelu_bwd erf %x, %d : tensor<4xf32>
  return %z : tensor<4xf32>
}
