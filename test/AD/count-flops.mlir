// RUN: tt-opt %s --tt-autodiff --tt-count-flops --split-input-file -o /dev/null | FileCheck %s

// 6 N per token, N the parameters of the matrices: 2 N forward, 4 N backward.
// N = 8 * 32 + 32 * 8 = 512, 4 tokens: 4096 and 8192.
// CHECK:      @mlp total weights 4096 attention 0 flops
// CHECK:      @mlp_fwd total weights 4096 attention 0 flops
// CHECK:      @mlp_bwd total weights 8192 attention 0 flops
func.func @mlp(%x: tensor<4x8xf32> {tt.param = "x"}, %w: tensor<8x32xf32> {tt.param = "w"},
               %v: tensor<32x8xf32> {tt.param = "v"}) -> tensor<4x8xf32> {
  %h = tt.linear in_out %x, %w : (tensor<4x8xf32>, tensor<8x32xf32>) -> tensor<4x32xf32>
  %a = tt.gelu tanh %h : tensor<4x32xf32>
  %y = tt.linear in_out %a, %v : (tensor<4x32xf32>, tensor<32x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// The first layer's input needs no cotangent: 3 products backward, not 4.
// CHECK:      @first_layer_bwd total weights 6144 attention 0 flops
func.func @first_layer(%x: tensor<4x8xf32> {tt.input = "x"}, %w: tensor<8x32xf32> {tt.param = "w"},
               %v: tensor<32x8xf32> {tt.param = "v"}) -> tensor<4x8xf32> {
  %h = tt.linear in_out %x, %w : (tensor<4x8xf32>, tensor<8x32xf32>) -> tensor<4x32xf32>
  %a = tt.gelu tanh %h : tensor<4x32xf32>
  %y = tt.linear in_out %a, %v : (tensor<4x32xf32>, tensor<32x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// A call counts as its callee, each time.
// CHECK:      @layer total weights 512 attention 0 flops
// CHECK:      @layers total weights 1536 attention 0 flops
// CHECK:      @layers_bwd total weights 3072 attention 0 flops
func.func private @layer(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %y = tt.linear in_out %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
func.func @layers(%x: tensor<4x8xf32> {tt.param = "x"}, %w: tensor<8x8xf32> {tt.param = "w"}) -> tensor<4x8xf32> {
  %0 = call @layer(%x, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = call @layer(%0, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %2 = call @layer(%1, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// Attention: 2 products forward, 5 backward, of 2 B H T S D = 4096 each. The
// mask does not lower the count; what it leaves is in one tile here.
// CHECK:      @attention total weights 0 attention 8192 flops
// CHECK:      @attention_bwd total weights 0 attention 20480 flops
func.func @attention(%q: tensor<1x2x8x16xf32> {tt.param = "q"}, %k: tensor<1x1x8x16xf32> {tt.param = "k"}) -> tensor<1x2x8x16xf32> {
  %o, %lse = tt.attention %q, %k, %k causal scale = 0.25 : (tensor<1x2x8x16xf32>, tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return %o : tensor<1x2x8x16xf32>
}

// -----

// A tied table counts once, as the head's matrix (2 * 4 * 65 * 8 = 4160); the
// lookup and its scatter are no products.
// CHECK:      @tied total weights 4160 attention 0 flops
// CHECK:      @tied_bwd total weights 8320 attention 0 flops
func.func @tied(%ids: tensor<4xi32> {tt.input = "ids"}, %table: tensor<65x8xf32> {tt.param = "table"}) -> tensor<4x65xf32> {
  %x = tt.embedding %table, %ids : (tensor<65x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  %z = tt.linear out_in %x, %table : (tensor<4x8xf32>, tensor<65x8xf32>) -> tensor<4x65xf32>
  return %z : tensor<4x65xf32>
}

// -----

// Batched products and elementwise ops.
// CHECK:      @batched total weights 1920 attention 0 flops
func.func @batched(%a: tensor<3x4x8xf32> {tt.param = "a"}, %b: tensor<3x10x8xf32>) -> tensor<3x4x10xf32> {
  %c = tt.matmul %a, %b transpose_rhs : (tensor<3x4x8xf32>, tensor<3x10x8xf32>) -> tensor<3x4x10xf32>
  %d = tt.softmax %c : tensor<3x4x10xf32>
  return %d : tensor<3x4x10xf32>
}

// -----

// The same attention written out keeps the scores' softmax, so that the backward
// has 4 products of 4096 flops, not 5.
// CHECK:      @written_out total weights 8192 attention 0 flops
// CHECK:      @written_out_bwd total weights 16384 attention 0 flops
func.func @written_out(%q: tensor<2x8x16xf32> {tt.param = "q"}, %k: tensor<2x8x16xf32> {tt.param = "k"}, %v: tensor<2x8x16xf32> {tt.param = "v"}) -> tensor<2x8x16xf32> {
  %s = tt.matmul %q, %k transpose_rhs : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> tensor<2x8x8xf32>
  %p = tt.softmax %s : tensor<2x8x8xf32>
  %o = tt.matmul %p, %v : (tensor<2x8x8xf32>, tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  return %o : tensor<2x8x16xf32>
}

// -----

// A head joined with its loss: one product forward, three backward, in chunks or not.
// CHECK: @chunked_head tt.linear_cross_entropy 5200
// CHECK: @chunked_head_bwd tt.linear_cross_entropy_bwd 15600
func.func @chunked_head(%h: tensor<5x8xf32> {tt.param = "h"}, %w: tensor<65x8xf32> {tt.param = "w"}, %t: tensor<5xi32>) -> tensor<f32> {
  %l, %lse = tt.linear_cross_entropy mean out_in %h, %w, %t chunks = 2 : (tensor<5x8xf32>, tensor<65x8xf32>, tensor<5xi32>) -> (tensor<f32>, tensor<5xf32>)
  return %l : tensor<f32>
}

// -----

// Work outside of products, and bytes: a view moves nothing, a lookup reads the rows
// it takes, an operand read twice counts once, and a result that nothing reads (the
// sort's positions) is not written. The layer norm costs what its parts do.
// CHECK-LABEL: @costs tt.embedding 0 flops of products, 0 others, 272 bytes
// CHECK-NEXT:  @costs tt.linear 512 flops of products, 32 others, 544 bytes
// CHECK-NEXT:  @costs tt.exp 0 flops of products, 32 others, 256 bytes
// CHECK-NEXT:  @costs tt.softmax 0 flops of products, 192 others, 256 bytes
// CHECK-NEXT:  @costs tt.layer_norm 0 flops of products, 296 others, 288 bytes
// CHECK-NEXT:  @costs tt.sort 0 flops of products, 96 others, 256 bytes
// CHECK-NEXT:  @costs tt.mul 0 flops of products, 32 others, 256 bytes
// CHECK-NEXT:  @costs tt.mean 0 flops of products, 32 others, 132 bytes
// CHECK-NEXT:  @costs total weights 512 attention 0 flops
// CHECK-NEXT:  @costs others 712 flops, bytes of its ops 2260
func.func @costs(%ids: tensor<4xi32> {tt.input = "ids"}, %table: tensor<65x8xf32>,
                 %w: tensor<8x8xf32> {tt.param = "w"}, %b: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<f32> {
  %x = tt.embedding %table, %ids : (tensor<65x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  %t = tt.transpose %x permutation = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %y = tt.linear in_out %x, %w, %b : (tensor<4x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %e = tt.exp %y : tensor<4x8xf32>
  %p = tt.softmax %e : tensor<4x8xf32>
  %n, %mean, %rstd = tt.layer_norm %p, %g eps = 1.0e-05 : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  %s, %i = tt.sort %n dim = 1 : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  %o = tt.mul %s, %s : tensor<4x8xf32>
  %r = tt.mean %o dims = [0, 1] : (tensor<4x8xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// 8 columns of 4: 8 * 4 log2 4.
// CHECK-LABEL: @sorted_columns tt.sort 0 flops of products, 64 others, 256 bytes
func.func @sorted_columns(%x: tensor<4x8xf32> {tt.param = "x"}) -> tensor<4x8xf32> {
  %y, %i = tt.sort %x dim = 0 : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return %y : tensor<4x8xf32>
}
