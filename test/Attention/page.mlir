// The example of docs/Rooms/Attention.md.
// RUN: tt-opt %s --tt-tile-attention --canonicalize --cse | diff - %S/Inputs/page-tiled.mlir

func.func @f(%q: tensor<1x2x32x16xf32>, %k: tensor<1x2x48x16xf32>, %v: tensor<1x2x48x16xf32>)
    -> (tensor<1x2x32x16xf32>, tensor<1x2x32xf32>) {
  %o, %lse = tt.attention %q, %k, %v causal scale = 0.25 {block_q = 8 : i64, block_k = 24 : i64}
      : (tensor<1x2x32x16xf32>, tensor<1x2x48x16xf32>, tensor<1x2x48x16xf32>)
     -> (tensor<1x2x32x16xf32>, tensor<1x2x32xf32>)
  return %o, %lse : tensor<1x2x32x16xf32>, tensor<1x2x32xf32>
}
