// RUN: tt-opt %s --split-input-file --tt-autodiff=function=f --tt-count-flops -o /dev/null | FileCheck %s
//
// What a mask saves, as a function of S, window and tile: a product has 2 B H T S D
// flops, of which the tiles that are visited hold a part. 2 products forward, 5 back.

// The figures of the field at S = 1024, D = 64: 268,435,456 and 671,088,640. Causal with
// square tiles of 64: 136 of 256 tiles, n (n + 1) / 2.
// CHECK:      @f_fwd total weights 0 attention 268435456 flops
// CHECK:      @f_fwd visited tiles hold 142606336 of the attention's flops
// CHECK:      @f_bwd total weights 0 attention 671088640 flops
// CHECK:      @f_bwd visited tiles hold 356515840 of the attention's flops
func.func @f(%q: tensor<1x1x1024x64xf32> {tt.param = "q"}) -> tensor<1x1x1024x64xf32> {
  %o, %lse = tt.attention %q, %q, %q causal scale = 0.125 {block_q = 64 : i64, block_k = 64 : i64} : (tensor<1x1x1024x64xf32>, tensor<1x1x1024x64xf32>, tensor<1x1x1024x64xf32>) -> (tensor<1x1x1024x64xf32>, tensor<1x1x1024xf32>)
  return %o : tensor<1x1x1024x64xf32>
}

// -----

// A window of 128: 3 tiles per block of queries but for the first two, whatever S is.
// S = 1024: 45 tiles of 64 x 64, S = 4096: 189, each of 7 * 2 * 64 * 64 * 64 in all;
// the difference is (4096 - 1024) / 64 * 3 = 144 tiles.
// CHECK:      @f_fwd visited tiles hold 47185920 of the attention's flops
// CHECK:      @f_bwd total weights 0 attention 671088640 flops
// CHECK:      @f_bwd visited tiles hold 117964800 of the attention's flops
func.func @f(%q: tensor<1x1x1024x64xf32> {tt.param = "q"}) -> tensor<1x1x1024x64xf32> {
  %o, %lse = tt.attention %q, %q, %q causal scale = 0.125 {window_left = 127 : i64, block_q = 64 : i64, block_k = 64 : i64} : (tensor<1x1x1024x64xf32>, tensor<1x1x1024x64xf32>, tensor<1x1x1024x64xf32>) -> (tensor<1x1x1024x64xf32>, tensor<1x1x1024xf32>)
  return %o : tensor<1x1x1024x64xf32>
}

// -----

// CHECK:      @f_fwd visited tiles hold 198180864 of the attention's flops
// CHECK:      @f_bwd total weights 0 attention 10737418240 flops
// CHECK:      @f_bwd visited tiles hold 495452160 of the attention's flops
func.func @f(%q: tensor<1x1x4096x64xf32> {tt.param = "q"}) -> tensor<1x1x4096x64xf32> {
  %o, %lse = tt.attention %q, %q, %q causal scale = 0.125 {window_left = 127 : i64, block_q = 64 : i64, block_k = 64 : i64} : (tensor<1x1x4096x64xf32>, tensor<1x1x4096x64xf32>, tensor<1x1x4096x64xf32>) -> (tensor<1x1x4096x64xf32>, tensor<1x1x4096xf32>)
  return %o : tensor<1x1x4096x64xf32>
}
