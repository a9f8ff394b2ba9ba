// RUN: tt-opt %s --tt-autodiff=wrt=all --split-input-file | FileCheck %s

// 1 product forward, 2 backward; each operand in its own orientation.
// CHECK-LABEL: func.func private @matmul_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x8xf32>, %[[A1:.+]]: tensor<8x2xf32>, %[[A2:.+]]: tensor<4x2xf32>) -> (tensor<4x8xf32>, tensor<8x2xf32>)
// CHECK-NEXT:    %[[V0:.+]] = tt.matmul %[[A2]], %[[A1]] transpose_rhs : (tensor<4x2xf32>, tensor<8x2xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.matmul %[[A0]], %[[A2]] transpose_lhs : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
// CHECK-NEXT:    return %[[V0]], %[[V1]] : tensor<4x8xf32>, tensor<8x2xf32>
func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %c = tt.matmul %a, %b : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %c : tensor<4x2xf32>
}

// -----

// CHECK-LABEL: func.func private @matmul_tt_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<8x4xf32>, %[[A1:.+]]: tensor<2x8xf32>, %[[A2:.+]]: tensor<4x2xf32>) -> (tensor<8x4xf32>, tensor<2x8xf32>)
// CHECK-NEXT:    %[[V0:.+]] = tt.matmul %[[A1]], %[[A2]] transpose_lhs transpose_rhs : (tensor<2x8xf32>, tensor<4x2xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.matmul %[[A2]], %[[A0]] transpose_lhs transpose_rhs : (tensor<4x2xf32>, tensor<8x4xf32>) -> tensor<2x8xf32>
// CHECK-NEXT:    return %[[V0]], %[[V1]] : tensor<8x4xf32>, tensor<2x8xf32>
func.func @matmul_tt(%a: tensor<8x4xf32>, %b: tensor<2x8xf32>) -> tensor<4x2xf32> {
  %c = tt.matmul %a, %b transpose_lhs transpose_rhs : (tensor<8x4xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
  return %c : tensor<4x2xf32>
}

// -----

// The rows of all leading dimensions are one matrix in the weight's gradient.
// CHECK-LABEL: func.func private @linear_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<3x4x8xf32>, %[[A1:.+]]: tensor<8x2xf32>, %[[A2:.+]]: tensor<3x4x2xf32>) -> (tensor<3x4x8xf32>, tensor<8x2xf32>, tensor<2xf32>)
// CHECK-NEXT:    %[[V0:.+]] = tt.linear out_in %[[A2]], %[[A1]] : (tensor<3x4x2xf32>, tensor<8x2xf32>) -> tensor<3x4x8xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.reshape %[[A0]] : tensor<3x4x8xf32> -> tensor<12x8xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.reshape %[[A2]] : tensor<3x4x2xf32> -> tensor<12x2xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.matmul %[[V1]], %[[V2]] transpose_lhs : (tensor<12x8xf32>, tensor<12x2xf32>) -> tensor<8x2xf32>
// CHECK-NEXT:    %[[V4:.+]] = tt.sum %[[A2]] dims = [0, 1] : (tensor<3x4x2xf32>) -> tensor<2xf32>
// CHECK-NEXT:    return %[[V0]], %[[V3]], %[[V4]] : tensor<3x4x8xf32>, tensor<8x2xf32>, tensor<2xf32>
func.func @linear(%x: tensor<3x4x8xf32>, %w: tensor<8x2xf32>, %b: tensor<2xf32>) -> tensor<3x4x2xf32> {
  %y = tt.linear in_out %x, %w, %b : (tensor<3x4x8xf32>, tensor<8x2xf32>, tensor<2xf32>) -> tensor<3x4x2xf32>
  return %y : tensor<3x4x2xf32>
}

// -----

// CHECK-LABEL: func.func private @linear_out_in_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x8xf32>, %[[A1:.+]]: tensor<2x8xf32>, %[[A2:.+]]: tensor<4x2xf32>) -> (tensor<4x8xf32>, tensor<2x8xf32>)
// CHECK-NEXT:    %[[V0:.+]] = tt.linear in_out %[[A2]], %[[A1]] : (tensor<4x2xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.matmul %[[A2]], %[[A0]] transpose_lhs : (tensor<4x2xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
// CHECK-NEXT:    return %[[V0]], %[[V1]] : tensor<4x8xf32>, tensor<2x8xf32>
func.func @linear_out_in(%x: tensor<4x8xf32>, %w: tensor<2x8xf32>) -> tensor<4x2xf32> {
  %y = tt.linear out_in %x, %w : (tensor<4x8xf32>, tensor<2x8xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// CHECK-LABEL: func.func private @layer_norm_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x8xf32>, %[[A1:.+]]: tensor<8xf32>, %[[A2:.+]]: tensor<4xf32>, %[[A3:.+]]: tensor<4xf32>, %[[A4:.+]]: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT:    %[[V0:.+]] = tt.layer_norm_bwd %[[A0]], %[[A1]], %[[A2]], %[[A3]], %[[A4]] : (tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.broadcast %[[A2]] dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.sub %[[A0]], %[[V1]] : tensor<4x8xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.broadcast %[[A3]] dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V4:.+]] = tt.mul %[[V2]], %[[V3]] : tensor<4x8xf32>
// CHECK-NEXT:    %[[V5:.+]] = tt.mul %[[A4]], %[[V4]] : tensor<4x8xf32>
// CHECK-NEXT:    %[[V6:.+]] = tt.sum %[[V5]] dims = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %[[V7:.+]] = tt.sum %[[A4]] dims = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    return %[[V0]], %[[V6]], %[[V7]] : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>
func.func @layer_norm(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %y, %mean, %rstd = tt.layer_norm %x, %g, %b eps = 1.0e-5 : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return %y : tensor<4x8xf32>
}

// -----

// The sum over rows is in f32 and rounded to bf16 once.
// CHECK-LABEL: func.func private @rms_norm_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x8xbf16>, %[[A1:.+]]: tensor<8xbf16>, %[[A2:.+]]: tensor<4xf32>, %[[A3:.+]]: tensor<4x8xbf16>) -> (tensor<4x8xbf16>, tensor<8xbf16>)
// CHECK-NEXT:    %[[V0:.+]] = tt.rms_norm_bwd %[[A0]], %[[A1]], %[[A2]], %[[A3]] : (tensor<4x8xbf16>, tensor<8xbf16>, tensor<4xf32>, tensor<4x8xbf16>) -> tensor<4x8xbf16>
// CHECK-NEXT:    %[[V1:.+]] = tt.cast %[[A0]] : tensor<4x8xbf16> to tensor<4x8xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.broadcast %[[A2]] dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V3:.+]] = tt.mul %[[V1]], %[[V2]] : tensor<4x8xf32>
// CHECK-NEXT:    %[[V4:.+]] = tt.cast %[[A3]] : tensor<4x8xbf16> to tensor<4x8xf32>
// CHECK-NEXT:    %[[V5:.+]] = tt.mul %[[V4]], %[[V3]] : tensor<4x8xf32>
// CHECK-NEXT:    %[[V6:.+]] = tt.sum %[[V5]] dims = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %[[V7:.+]] = tt.cast %[[V6]] : tensor<8xf32> to tensor<8xbf16>
// CHECK-NEXT:    return %[[V0]], %[[V7]] : tensor<4x8xbf16>, tensor<8xbf16>
func.func @rms_norm(%x: tensor<4x8xbf16>, %g: tensor<8xbf16>) -> tensor<4x8xbf16> {
  %y, %rstd = tt.rms_norm %x, %g eps = 1.0e-5 : (tensor<4x8xbf16>, tensor<8xbf16>) -> (tensor<4x8xbf16>, tensor<4xf32>)
  return %y : tensor<4x8xbf16>
}

// -----

// From q, k, v, the output and lse; no score matrix is kept.
// CHECK-LABEL: func.func private @attention_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<1x4x8x16xf32>, %[[A1:.+]]: tensor<1x2x8x16xf32>, %[[A2:.+]]: tensor<1x2x8x16xf32>, %[[A3:.+]]: tensor<1x4x8x16xf32>, %[[A4:.+]]: tensor<1x4x8xf32>, %[[A5:.+]]: tensor<1x4x8x16xf32>) -> (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>)
// CHECK-NEXT:    %[[V0:.+]], %[[V1:.+]], %[[V2:.+]] = tt.attention_bwd %[[A0]], %[[A1]], %[[A2]], %[[A3]], %[[A4]], %[[A5]] causal scale = 2.500000e-01 : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x4x8x16xf32>, tensor<1x4x8xf32>, tensor<1x4x8x16xf32>) -> (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>)
// CHECK-NEXT:    return %[[V0]], %[[V1]], %[[V2]] : tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>
func.func @attention(%q: tensor<1x4x8x16xf32>, %k: tensor<1x2x8x16xf32>, %v: tensor<1x2x8x16xf32>) -> tensor<1x4x8x16xf32> {
  %o, %lse = tt.attention %q, %k, %v causal scale = 0.25 : (tensor<1x4x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x4x8x16xf32>, tensor<1x4x8xf32>)
  return %o : tensor<1x4x8x16xf32>
}

// -----

// Rotates back.
// CHECK-LABEL: func.func private @rope_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<8xi32>, %[[A1:.+]]: tensor<1x2x8x16xf32>) -> tensor<1x2x8x16xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.rope interleaved inverse %[[A1]] positions(%[[A0]]) theta = 1.000000e+04 : (tensor<1x2x8x16xf32>, tensor<8xi32>) -> tensor<1x2x8x16xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<1x2x8x16xf32>
func.func @rope(%x: tensor<1x2x8x16xf32>, %p: tensor<8xi32>) -> tensor<1x2x8x16xf32> {
  %y = tt.rope interleaved %x positions(%p) theta = 1.0e4 : (tensor<1x2x8x16xf32>, tensor<8xi32>) -> tensor<1x2x8x16xf32>
  return %y : tensor<1x2x8x16xf32>
}

// -----

// Only the ids are kept, and the padding row passes nothing.
// CHECK-LABEL: func.func private @embedding_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<2x4xi32>, %[[A1:.+]]: tensor<2x4x8xf32>) -> tensor<65x8xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.embedding_bwd %[[A0]], %[[A1]] rows = 65 {padding_index = 1 : i64} : (tensor<2x4xi32>, tensor<2x4x8xf32>) -> tensor<65x8xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<65x8xf32>
func.func @embedding(%t: tensor<65x8xf32>, %ids: tensor<2x4xi32>) -> tensor<2x4x8xf32> {
  %y = tt.embedding %t, %ids {padding_index = 1 : i64} : (tensor<65x8xf32>, tensor<2x4xi32>) -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

// -----

// CHECK-LABEL: func.func private @cross_entropy_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x65xf32>, %[[A1:.+]]: tensor<4xi32>, %[[A2:.+]]: tensor<4xf32>, %[[A3:.+]]: tensor<f32>) -> tensor<4x65xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.cross_entropy_bwd mean %[[A0]], %[[A1]], %[[A2]], %[[A3]] {ignore_index = 0 : i64} : (tensor<4x65xf32>, tensor<4xi32>, tensor<4xf32>, tensor<f32>) -> tensor<4x65xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<4x65xf32>
func.func @cross_entropy(%z: tensor<4x65xf32>, %t: tensor<4xi32>) -> tensor<f32> {
  %l, %lse = tt.cross_entropy mean %z, %t {ignore_index = 0 : i64} : (tensor<4x65xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return %l : tensor<f32>
}

// -----

// The same op with the same key and site: the same mask.
// CHECK-LABEL: func.func private @dropout_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<2xi32>, %[[A1:.+]]: tensor<2x8xf32>) -> tensor<2x8xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.dropout %[[A1]], %[[A0]] p = 1.000000e-01 site = 3 samples = 2 : (tensor<2x8xf32>, tensor<2xi32>) -> tensor<2x8xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<2x8xf32>
func.func @dropout(%x: tensor<2x8xf32>, %key: tensor<2xi32>) -> tensor<2x8xf32> {
  %y = tt.dropout %x, %key p = 0.1 site = 3 samples = 2 : (tensor<2x8xf32>, tensor<2xi32>) -> tensor<2x8xf32>
  return %y : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func.func private @softmax_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4x8xf32>, %[[A1:.+]]: tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.softmax_bwd %[[A0]], %[[A1]] : tensor<4x8xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<4x8xf32>
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = tt.softmax %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func private @mean_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.constant dense<2.500000e-01> : tensor<8xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.mul %[[A0]], %[[V0]] : tensor<8xf32>
// CHECK-NEXT:    %[[V2:.+]] = tt.broadcast %[[V1]] dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
// CHECK-NEXT:    return %[[V2]] : tensor<4x8xf32>
func.func @mean(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  %y = tt.mean %x dims = [0] : (tensor<4x8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// To the first maximal position.
// CHECK-LABEL: func.func private @max_bwd
// CHECK-SAME:    (%[[A0:.+]]: tensor<4xi32>, %[[A1:.+]]: tensor<4xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V0:.+]] = tt.broadcast %[[A1]] dims = [0] : tensor<4xf32> -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V1:.+]] = tt.iota dim = 1 : tensor<4x8xi32>
// CHECK-NEXT:    %[[V2:.+]] = tt.broadcast %[[A0]] dims = [0] : tensor<4xi32> -> tensor<4x8xi32>
// CHECK-NEXT:    %[[V3:.+]] = tt.compare eq %[[V1]], %[[V2]] : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
// CHECK-NEXT:    %[[V4:.+]] = tt.constant dense<0.000000e+00> : tensor<4x8xf32>
// CHECK-NEXT:    %[[V5:.+]] = tt.select %[[V3]], %[[V0]], %[[V4]] : tensor<4x8xi1>, tensor<4x8xf32>
// CHECK-NEXT:    return %[[V5]] : tensor<4x8xf32>
func.func @max(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %y, %i = tt.max %x dim = 1 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi32>)
  return %y : tensor<4xf32>
}
