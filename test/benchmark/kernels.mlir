// The kernels of a GPT-2 124M step that are not products, for 1024 tokens.
tt.kernel @add_gelu(%a: tensor<1024x3072xf32>, %b: tensor<3072xf32>) -> tensor<1024x3072xf32>
    attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  %0 = tt.broadcast %b dims = [1] : tensor<3072xf32> -> tensor<1024x3072xf32>
  %1 = tt.add %a, %0 : tensor<1024x3072xf32>
  %2 = tt.gelu tanh %1 : tensor<1024x3072xf32>
  tt.yield %2 : tensor<1024x3072xf32>
}
tt.kernel @add(%a: tensor<1024x3072xf32>, %b: tensor<1024x3072xf32>) -> tensor<1024x3072xf32>
    attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  %1 = tt.add %a, %b : tensor<1024x3072xf32>
  tt.yield %1 : tensor<1024x3072xf32>
}
tt.kernel @dropout(%a: tensor<1024x768xf32>, %k: tensor<2xi32>) -> tensor<1024x768xf32>
    attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  %1 = tt.dropout %a, %k p = 0.1 site = 0 samples = 1 : (tensor<1024x768xf32>, tensor<2xi32>) -> tensor<1024x768xf32>
  tt.yield %1 : tensor<1024x768xf32>
}
tt.kernel @transpose(%a: tensor<1024x768xf32>) -> tensor<768x1024xf32>
    attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  %1 = tt.transpose %a permutation = [1, 0] : (tensor<1024x768xf32>) -> tensor<768x1024xf32>
  tt.yield %1 : tensor<768x1024xf32>
}
tt.kernel @embed(%t: tensor<50257x768xf32>, %p: tensor<1024x768xf32>, %i: tensor<1x1024xi32> {tt.index_limit = 50257 : i64}) -> tensor<1x1024x768xf32>
    attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  %0 = tt.embedding %t, %i : (tensor<50257x768xf32>, tensor<1x1024xi32>) -> tensor<1x1024x768xf32>
  %1 = tt.broadcast %p dims = [1, 2] : tensor<1024x768xf32> -> tensor<1x1024x768xf32>
  %2 = tt.add %0, %1 : tensor<1x1024x768xf32>
  tt.yield %2 : tensor<1x1024x768xf32>
}
tt.kernel @rope(%x: tensor<1x12x1024x64xf32>) -> tensor<1x12x1024x64xf32>
    attributes {anchor = "attention", numerics = {}, schedule = {}} {
  %1 = tt.rope half_split %x theta = 1.0e4 : (tensor<1x12x1024x64xf32>) -> tensor<1x12x1024x64xf32>
  tt.yield %1 : tensor<1x12x1024x64xf32>
}
tt.kernel @layer_norm(%x: tensor<1x1024x768xf32>, %r: tensor<1x1024x768xf32>, %g: tensor<768xf32>, %b: tensor<768xf32>)
    -> (tensor<1x1024x768xf32>, tensor<1x1024xf32>, tensor<1x1024xf32>, tensor<1x1024x768xf32>)
    attributes {anchor = "row", numerics = {}, schedule = {}} {
  %0 = tt.add %x, %r : tensor<1x1024x768xf32>
  %1, %2, %3 = tt.layer_norm %0, %g, %b eps = 1.0e-5 : (tensor<1x1024x768xf32>, tensor<768xf32>, tensor<768xf32>)
     -> (tensor<1x1024x768xf32>, tensor<1x1024xf32>, tensor<1x1024xf32>)
  tt.yield %1, %2, %3, %0 : tensor<1x1024x768xf32>, tensor<1x1024xf32>, tensor<1x1024xf32>, tensor<1x1024x768xf32>
}
tt.kernel @layer_norm_plain(%x: tensor<1024x768xf32>, %g: tensor<768xf32>, %b: tensor<768xf32>)
    -> (tensor<1024x768xf32>, tensor<1024xf32>, tensor<1024xf32>)
    attributes {anchor = "row", numerics = {}, schedule = {}} {
  %1, %2, %3 = tt.layer_norm %x, %g, %b eps = 1.0e-5 : (tensor<1024x768xf32>, tensor<768xf32>, tensor<768xf32>)
     -> (tensor<1024x768xf32>, tensor<1024xf32>, tensor<1024xf32>)
  tt.yield %1, %2, %3 : tensor<1024x768xf32>, tensor<1024xf32>, tensor<1024xf32>
}
tt.kernel @layer_norm_bwd(%x: tensor<1024x768xf32>, %g: tensor<768xf32>, %m: tensor<1024xf32>, %s: tensor<1024xf32>, %d: tensor<1024x768xf32>)
    -> tensor<1024x768xf32>
    attributes {anchor = "row", numerics = {}, schedule = {}} {
  %1 = tt.layer_norm_bwd %x, %g, %m, %s, %d : (tensor<1024x768xf32>, tensor<768xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1024x768xf32>) -> tensor<1024x768xf32>
  tt.yield %1 : tensor<1024x768xf32>
}
tt.kernel @dgamma(%x: tensor<1024x768xf32>, %m: tensor<1024xf32>, %s: tensor<1024xf32>, %d: tensor<1024x768xf32>)
    -> (tensor<768xf32>, tensor<768xf32>)
    attributes {anchor = "column", numerics = {}, schedule = {}} {
  %0 = tt.broadcast %m dims = [0] : tensor<1024xf32> -> tensor<1024x768xf32>
  %1 = tt.broadcast %s dims = [0] : tensor<1024xf32> -> tensor<1024x768xf32>
  %2 = tt.sub %x, %0 : tensor<1024x768xf32>
  %3 = tt.mul %2, %1 : tensor<1024x768xf32>
  %4 = tt.mul %3, %d : tensor<1024x768xf32>
  %5 = tt.sum %4 dims = [0] : (tensor<1024x768xf32>) -> tensor<768xf32>
  %6 = tt.sum %d dims = [0] : (tensor<1024x768xf32>) -> tensor<768xf32>
  tt.yield %5, %6 : tensor<768xf32>, tensor<768xf32>
}
tt.kernel @dbias(%d: tensor<1024x3072xf32>) -> tensor<3072xf32>
    attributes {anchor = "column", numerics = {}, schedule = {}} {
  %6 = tt.sum %d dims = [0] : (tensor<1024x3072xf32>) -> tensor<3072xf32>
  tt.yield %6 : tensor<3072xf32>
}
tt.kernel @softmax(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    attributes {anchor = "row", numerics = {}, schedule = {}} {
  %1 = tt.softmax %x : tensor<1024x1024xf32>
  tt.yield %1 : tensor<1024x1024xf32>
}
tt.kernel @cross_entropy(%x: tensor<512x50257xf32>, %t: tensor<512xi32> {tt.index_limit = 50257 : i64}) -> (tensor<f32>, tensor<512xf32>)
    attributes {anchor = "row", numerics = {}, schedule = {}} {
  %0, %1 = tt.cross_entropy mean %x, %t : (tensor<512x50257xf32>, tensor<512xi32>) -> (tensor<f32>, tensor<512xf32>)
  tt.yield %0, %1 : tensor<f32>, tensor<512xf32>
}
tt.kernel @cross_entropy_bwd(%x: tensor<512x50257xf32>, %t: tensor<512xi32> {tt.index_limit = 50257 : i64}, %l: tensor<512xf32>, %d: tensor<f32>) -> tensor<512x50257xf32>
    attributes {anchor = "row", numerics = {}, schedule = {}} {
  %0 = tt.cross_entropy_bwd mean %x, %t, %l, %d : (tensor<512x50257xf32>, tensor<512xi32>, tensor<512xf32>, tensor<f32>) -> tensor<512x50257xf32>
  tt.yield %0 : tensor<512x50257xf32>
}
tt.kernel @embedding_bwd(%i: tensor<1024xi32> {tt.index_limit = 50257 : i64}, %d: tensor<1024x768xf32>) -> tensor<50257x768xf32>
    attributes {anchor = "scatter", numerics = {}, schedule = {}} {
  %0 = tt.embedding_bwd %i, %d rows = 50257 : (tensor<1024xi32>, tensor<1024x768xf32>) -> tensor<50257x768xf32>
  tt.yield %0 : tensor<50257x768xf32>
}
tt.kernel @adamw(%p: tensor<16777216xf32>, %g: tensor<16777216xf32>, %m: tensor<16777216xf32>, %v: tensor<16777216xf32>,
    %lr: tensor<f32>, %t: tensor<i64>, %c: tensor<f32>, %s: tensor<i32>)
    -> (tensor<16777216xf32>, tensor<16777216xf32>, tensor<16777216xf32>)
    attributes {anchor = "optimizer", numerics = {}, schedule = {}} {
  %0, %1, %2 = tt.adamw %p, %g, %m, %v, %lr, %t, %c, %s beta1 = 0.9 beta2 = 0.95 eps = 1.0e-8 weight_decay = 0.1
      : (tensor<16777216xf32>, tensor<16777216xf32>, tensor<16777216xf32>, tensor<16777216xf32>, tensor<f32>, tensor<i64>, tensor<f32>, tensor<i32>)
     -> (tensor<16777216xf32>, tensor<16777216xf32>, tensor<16777216xf32>)
  tt.yield %0, %1, %2 : tensor<16777216xf32>, tensor<16777216xf32>, tensor<16777216xf32>
}
tt.kernel @sum_squares(%x: tensor<16777216xf32>) -> tensor<f64>
    attributes {anchor = "optimizer", numerics = {}, schedule = {}} {
  %0 = tt.sum_squares %x : tensor<16777216xf32> -> tensor<f64>
  tt.yield %0 : tensor<f64>
}
