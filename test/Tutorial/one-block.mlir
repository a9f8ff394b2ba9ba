// The model of docs/Tutorial/one-block.md: a GPT of two equal blocks with its
// loss. T = 32 tokens, C = 48 channels, 3 heads of 16, hidden 192, 96 words: small
// enough to read, and whole register tiles (8 x 48) everywhere. The page quotes
// this file and what the tools print of it.

// RUN: tt-opt %s | tt-opt | FileCheck %s --check-prefix=GRAPH
// RUN: tt-opt %s --tt-autodiff --canonicalize --cse | FileCheck %s --check-prefix=ADJOINT
// RUN: tt-opt %s --tt-autodiff --canonicalize --cse --tt-print-residuals -o /dev/null | FileCheck %s --check-prefix=KEPT
// RUN: tt-opt %s --tt-autodiff --canonicalize --cse --tt-count-flops -o /dev/null | FileCheck %s --check-prefix=FLOPS
// RUN: tt-opt %s --tt-autodiff --canonicalize --cse --tt-checkpoint=policy=full --tt-print-residuals | FileCheck %s --check-prefix=FULL
// RUN: tt-opt %s --tt-autodiff --tt-build-train-step --canonicalize --cse | FileCheck %s --check-prefix=STEP
// RUN: tt-opt %s --tt-autodiff --canonicalize --cse --tt-inference --tt-build-train-step --canonicalize --cse --tt-form-kernels --tt-build-step --tt-plan-memory | FileCheck %s --check-prefix=PLAN

func.func private @block(%x: tensor<32x48xf32>,
    %n1: tensor<48xf32>, %b1: tensor<48xf32>, %wqkv: tensor<48x144xf32>, %wo: tensor<48x48xf32>,
    %n2: tensor<48xf32>, %b2: tensor<48xf32>, %wup: tensor<48x192xf32>, %bup: tensor<192xf32>,
    %wdown: tensor<192x48xf32>) -> tensor<32x48xf32> {
  %h, %mean1, %rstd1 = tt.layer_norm %x, %n1, %b1 eps = 1.0e-5
      : (tensor<32x48xf32>, tensor<48xf32>, tensor<48xf32>) -> (tensor<32x48xf32>, tensor<32xf32>, tensor<32xf32>)
  %qkv = tt.linear in_out %h, %wqkv : (tensor<32x48xf32>, tensor<48x144xf32>) -> tensor<32x144xf32>
  %parts = tt.reshape %qkv : tensor<32x144xf32> -> tensor<1x32x9x16xf32>
  %heads = tt.transpose %parts permutation = [0, 2, 1, 3] : (tensor<1x32x9x16xf32>) -> tensor<1x9x32x16xf32>
  %q = tt.slice %heads dim = 1 start = 0 size = 3 : (tensor<1x9x32x16xf32>) -> tensor<1x3x32x16xf32>
  %k = tt.slice %heads dim = 1 start = 3 size = 3 : (tensor<1x9x32x16xf32>) -> tensor<1x3x32x16xf32>
  %v = tt.slice %heads dim = 1 start = 6 size = 3 : (tensor<1x9x32x16xf32>) -> tensor<1x3x32x16xf32>
  %o, %lse = tt.attention %q, %k, %v causal scale = 0.25
      : (tensor<1x3x32x16xf32>, tensor<1x3x32x16xf32>, tensor<1x3x32x16xf32>) -> (tensor<1x3x32x16xf32>, tensor<1x3x32xf32>)
  %ot = tt.transpose %o permutation = [0, 2, 1, 3] : (tensor<1x3x32x16xf32>) -> tensor<1x32x3x16xf32>
  %merged = tt.reshape %ot : tensor<1x32x3x16xf32> -> tensor<32x48xf32>
  %proj = tt.linear in_out %merged, %wo : (tensor<32x48xf32>, tensor<48x48xf32>) -> tensor<32x48xf32>
  %mid = tt.add %x, %proj : tensor<32x48xf32>
  %m, %mean2, %rstd2 = tt.layer_norm %mid, %n2, %b2 eps = 1.0e-5
      : (tensor<32x48xf32>, tensor<48xf32>, tensor<48xf32>) -> (tensor<32x48xf32>, tensor<32xf32>, tensor<32xf32>)
  %up = tt.linear in_out %m, %wup, %bup : (tensor<32x48xf32>, tensor<48x192xf32>, tensor<192xf32>) -> tensor<32x192xf32>
  %act = tt.gelu tanh %up : tensor<32x192xf32>
  %down = tt.linear in_out %act, %wdown : (tensor<32x192xf32>, tensor<192x48xf32>) -> tensor<32x48xf32>
  %y = tt.add %mid, %down : tensor<32x48xf32>
  return %y : tensor<32x48xf32>
}

func.func @loss(%wte: tensor<96x48xf32> {tt.param = "wte", tt.init = "normal:0.02"},
    %wpe: tensor<32x48xf32> {tt.param = "wpe", tt.init = "normal:0.02"},
    %n1_0: tensor<48xf32> {tt.param = "h0.n1", tt.init = "one"},
    %b1_0: tensor<48xf32> {tt.param = "h0.b1", tt.init = "zero"},
    %wqkv_0: tensor<48x144xf32> {tt.param = "h0.wqkv", tt.init = "normal:0.02"},
    %wo_0: tensor<48x48xf32> {tt.param = "h0.wo", tt.init = "normal:0.02"},
    %n2_0: tensor<48xf32> {tt.param = "h0.n2", tt.init = "one"},
    %b2_0: tensor<48xf32> {tt.param = "h0.b2", tt.init = "zero"},
    %wup_0: tensor<48x192xf32> {tt.param = "h0.wup", tt.init = "normal:0.02"},
    %bup_0: tensor<192xf32> {tt.param = "h0.bup", tt.init = "zero"},
    %wdown_0: tensor<192x48xf32> {tt.param = "h0.wdown", tt.init = "normal:0.02"},
    %n1_1: tensor<48xf32> {tt.param = "h1.n1", tt.init = "one"},
    %b1_1: tensor<48xf32> {tt.param = "h1.b1", tt.init = "zero"},
    %wqkv_1: tensor<48x144xf32> {tt.param = "h1.wqkv", tt.init = "normal:0.02"},
    %wo_1: tensor<48x48xf32> {tt.param = "h1.wo", tt.init = "normal:0.02"},
    %n2_1: tensor<48xf32> {tt.param = "h1.n2", tt.init = "one"},
    %b2_1: tensor<48xf32> {tt.param = "h1.b2", tt.init = "zero"},
    %wup_1: tensor<48x192xf32> {tt.param = "h1.wup", tt.init = "normal:0.02"},
    %bup_1: tensor<192xf32> {tt.param = "h1.bup", tt.init = "zero"},
    %wdown_1: tensor<192x48xf32> {tt.param = "h1.wdown", tt.init = "normal:0.02"},
    %whead: tensor<96x48xf32> {tt.param = "head", tt.init = "normal:0.02"},
    %tokens: tensor<32xi32> {tt.input = "tokens", tt.index_limit = 96},
    %targets: tensor<32xi32> {tt.input = "targets", tt.index_limit = 96}) -> (tensor<f32> {tt.output = "loss"}) {
  %words = tt.embedding %wte, %tokens : (tensor<96x48xf32>, tensor<32xi32>) -> tensor<32x48xf32>
  %x0 = tt.add %words, %wpe : tensor<32x48xf32>
  %x1 = call @block(%x0, %n1_0, %b1_0, %wqkv_0, %wo_0, %n2_0, %b2_0, %wup_0, %bup_0, %wdown_0)
      : (tensor<32x48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48x144xf32>, tensor<48x48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48x192xf32>, tensor<192xf32>, tensor<192x48xf32>) -> tensor<32x48xf32>
  %x2 = call @block(%x1, %n1_1, %b1_1, %wqkv_1, %wo_1, %n2_1, %b2_1, %wup_1, %bup_1, %wdown_1)
      : (tensor<32x48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48x144xf32>, tensor<48x48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48x192xf32>, tensor<192xf32>, tensor<192x48xf32>) -> tensor<32x48xf32>
  %logits = tt.linear out_in %x2, %whead : (tensor<32x48xf32>, tensor<96x48xf32>) -> tensor<32x96xf32>
  %loss, %lse = tt.cross_entropy mean %logits, %targets : (tensor<32x96xf32>, tensor<32xi32>) -> (tensor<f32>, tensor<32xf32>)
  return %loss : tensor<f32>
}

// GRAPH-LABEL: func.func private @block
// GRAPH:         tt.attention {{.*}} causal
// GRAPH-LABEL: func.func @loss
// GRAPH-COUNT-2: call @block(
// GRAPH:         tt.cross_entropy mean

// One pair for the block, although it is called twice.
// ADJOINT-COUNT-1: func.func private @block_bwd
// Both gradients of a product: 2 of 2, and attention's three in one op.
// ADJOINT:         tt.linear out_in
// ADJOINT-NEXT:    tt.matmul {{.*}} transpose_lhs
// ADJOINT:         tt.attention_bwd
// Queries, keys and values were slices of one product: one concat, no sum.
// ADJOINT:         tt.concat
// ADJOINT-LABEL: func.func private @loss_bwd
// ADJOINT-COUNT-2: call @block_bwd
// ADJOINT:         tt.embedding_bwd

// KEPT-LABEL: @block_fwd -> @block_bwd
// KEPT:         kept by this function alone: 93056 bytes
// KEPT-LABEL: @loss_fwd -> @loss_bwd
// KEPT:         kept by this function alone: 216960 bytes

// 2 FLOPs forward and 4 backward per weight and token; attention 2 products of
// T T D per head forward and 5 backward.
// FLOPS: @block total weights 1769472 attention 196608 flops
// FLOPS: @block_bwd total weights 3538944 attention 491520 flops
// FLOPS: @loss total weights 3833856 attention 393216 flops
// FLOPS: @loss_bwd total weights 7667712 attention 983040 flops

// FULL-LABEL: @loss_fwd -> @loss_bwd
// FULL:         kept by this function alone: 123904 bytes
// FULL-LABEL: func.func private @loss_fwd
// FULL:         call @block(
// FULL:         call @block_fwd(
// FULL-LABEL: func.func private @loss_bwd
// FULL:         call @block_bwd(
// FULL:         tt.remat_barrier
// FULL-NEXT:    call @block_fwd({{.*}} {tt.replay}
// FULL-NEXT:    call @block_bwd(

// 21 parameters: 21 sums of squares, 21 updates, 63 new values and 4 outputs.
// STEP-LABEL: func.func @train_step
// STEP:         call @loss_fwd
// STEP:         call @loss_bwd
// STEP-COUNT-21: tt.sum_squares
// STEP:         tt.global_norm
// STEP-COUNT-21: tt.adamw
// STEP-LABEL: func.func @grad

// Without the emitters, which add the scratch that kernels ask for.
// PLAN: tt.memory = {{.*}}parameters = 267264 : i64, state = 534528 : i64
// PLAN: tt.kernel @linear_gelu{{.*}}anchor = "matmul", numerics = {k_chunk = 384 : i64}
// PLAN-LABEL: tt.step @train_step
// Queries, keys and values are views of the product's result.
// PLAN: tt.view %{{.+}} at 384 : memref<1x3x32x16xf32, strided<[4608, 16, 144, 1]>>
// PLAN: tt.launch @attention
