// RUN: tt-opt %s --tt-autodiff --tt-print-residuals --split-input-file -o /dev/null | FileCheck %s

// An argument and a result cost nothing; what the rules read is kept once. The
// gelu's input is kept although its output is too: the rule reads the input.
// CHECK-LABEL: @mlp_fwd -> @mlp_bwd
// Readers stand with the place of the op whose rule they are of.
// CHECK-NEXT:    tensor<4x8xf32> 128 bytes, argument 0; read by tt.matmul at {{.*}}:[[#@LINE+7]]:8{{$}}
// CHECK-NEXT:    tensor<4x16xf32> 256 bytes, tt.linear at {{.*}}:[[#@LINE+6]]:8; read by tt.gelu_bwd at {{.*}}:[[#@LINE+7]]:8{{$}}
// CHECK-NEXT:    tensor<4x16xf32> 256 bytes, tt.gelu at {{.*}}:[[#@LINE+6]]:8; read by tt.matmul at {{.*}}:[[#@LINE+7]]:8{{$}}
// CHECK-NEXT:    tensor<16x8xf32> 512 bytes, argument 3; read by tt.linear at {{.*}}:[[#@LINE+6]]:8{{$}}
// CHECK-NEXT:    kept by this function alone: 512 bytes
func.func @mlp(%x: tensor<4x8xf32> {tt.input = "x"}, %w: tensor<8x16xf32> {tt.param = "w"},
               %b: tensor<16xf32> {tt.param = "b"}, %v: tensor<16x8xf32> {tt.param = "v"}) -> tensor<4x8xf32> {
  %h = tt.linear in_out %x, %w, %b : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
  %a = tt.gelu tanh %h : tensor<4x16xf32>
  %y = tt.linear in_out %a, %v : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// With relu the output serves both rules.
// CHECK-LABEL: @relu_mlp_fwd -> @relu_mlp_bwd
// CHECK-COUNT-1: tt.relu at {{.*}}:[[#@LINE+6]]:8; read by tt.matmul at {{.*}}:[[#@LINE+7]]:8, tt.compare at {{.*}}:[[#@LINE+6]]:8{{$}}
// CHECK-NOT:     , tt.linear at
// CHECK:         kept by this function alone: 256 bytes
func.func @relu_mlp(%x: tensor<4x8xf32> {tt.input = "x"}, %w: tensor<8x16xf32> {tt.param = "w"},
                    %v: tensor<16x8xf32> {tt.param = "v"}) -> tensor<4x8xf32> {
  %h = tt.linear in_out %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %a = tt.relu %h : tensor<4x16xf32>
  %y = tt.linear in_out %a, %v : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// A frozen weight: no gradient, so the input of its layer is not kept.
// CHECK-LABEL: @frozen_fwd -> @frozen_bwd
// CHECK-NEXT:    tensor<8x8xf32> 256 bytes, argument 1; read by tt.linear at {{.*}}:[[#@LINE+3]]:8{{$}}
// CHECK-NEXT:    kept by this function alone: 0 bytes
func.func @frozen(%x: tensor<4x8xf32> {tt.param = "x"}, %w: tensor<8x8xf32> {tt.param = "w", tt.frozen}) -> tensor<4x8xf32> {
  %y = tt.linear in_out %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Linear ops keep nothing, and a broadcast is repeated, not kept.
// CHECK-LABEL: @linear_fwd -> @linear_bwd
// CHECK-NEXT:    tensor<8xf32> 32 bytes, argument 1; read by tt.mul at {{.*}}:[[#@LINE+4]]:8{{$}}
// CHECK-NEXT:    kept by this function alone: 0 bytes
func.func @linear(%x: tensor<4x8xf32> {tt.param = "x"}, %g: tensor<8xf32> {tt.input = "g"}) -> tensor<8x4xf32> {
  %wide = tt.broadcast %g dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
  %m = tt.mul %x, %wide : tensor<4x8xf32>
  %n = tt.neg %m : tensor<4x8xf32>
  %y = tt.transpose %n permutation = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

// Attention keeps q, k, v, output and lse; here they are arguments and a result.
// CHECK-LABEL: @attention_fwd -> @attention_bwd
// CHECK-NEXT:    tensor<1x2x8x16xf32> 1024 bytes, argument 0; read by tt.attention_bwd at
// CHECK-NEXT:    tensor<1x2x8x16xf32> 1024 bytes, argument 1; read by tt.attention_bwd at
// CHECK-NEXT:    tensor<1x2x8x16xf32> 1024 bytes, result of tt.attention at {{.*}}; read by tt.attention_bwd at {{.*}}:[[#@LINE+4]]:14{{$}}
// CHECK-NEXT:    tensor<1x2x8xf32> 64 bytes, tt.attention at {{.*}}; read by tt.attention_bwd at {{.*}}:[[#@LINE+3]]:14{{$}}
// CHECK:         kept by this function alone: 64 bytes
func.func @attention(%q: tensor<1x2x8x16xf32> {tt.param = "q"}, %k: tensor<1x2x8x16xf32> {tt.param = "k"}) -> tensor<1x2x8x16xf32> {
  %o, %lse = tt.attention %q, %k, %k causal scale = 0.25 : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return %o : tensor<1x2x8x16xf32>
}
