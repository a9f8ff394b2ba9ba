// The kind: attention with dropout, three heights of tiles: the mask belongs to the score, so that
// all have one set of bits. Right values: the interpreter in f64.
// input: fill(37,11)
// input: fill(37,11)
// input: fill(37,11)
// input: 11 12
// result 0: 0.118700188
// gradient 0 abs-sum: 0.66767825
// gradient 0 at 0: -0.0383863006
// gradient 0 at 31: 0.0188925792
// result 1 as: result 0
// result 2 as: result 0
// gradient 1 as: gradient 0
// gradient 2 as: gradient 0
func.func private @a(%x: tensor<10x6xf32>, %k: tensor<2xi32>) -> tensor<f32> {
  %q = tt.reshape %x : tensor<10x6xf32> -> tensor<1x1x10x6xf32>
  %o, %lse = tt.attention %q, %q, %q key(%k) causal scale = 0.5 {dropout_p = 0.1 : f64, site = 0 : i64} : (tensor<1x1x10x6xf32>, tensor<1x1x10x6xf32>, tensor<1x1x10x6xf32>, tensor<2xi32>) -> (tensor<1x1x10x6xf32>, tensor<1x1x10xf32>)
  %p = tt.square %o : tensor<1x1x10x6xf32>
  %l = tt.mean %p dims = [0, 1, 2, 3] : (tensor<1x1x10x6xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
func.func private @b(%x: tensor<10x6xf32>, %k: tensor<2xi32>) -> tensor<f32> {
  %q = tt.reshape %x : tensor<10x6xf32> -> tensor<1x1x10x6xf32>
  %o, %lse = tt.attention %q, %q, %q key(%k) causal scale = 0.5 {block_q = 4 : i64, dropout_p = 0.1 : f64, site = 0 : i64} : (tensor<1x1x10x6xf32>, tensor<1x1x10x6xf32>, tensor<1x1x10x6xf32>, tensor<2xi32>) -> (tensor<1x1x10x6xf32>, tensor<1x1x10xf32>)
  %p = tt.square %o : tensor<1x1x10x6xf32>
  %l = tt.mean %p dims = [0, 1, 2, 3] : (tensor<1x1x10x6xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
func.func private @c(%x: tensor<10x6xf32>, %k: tensor<2xi32>) -> tensor<f32> {
  %q = tt.reshape %x : tensor<10x6xf32> -> tensor<1x1x10x6xf32>
  %o, %lse = tt.attention %q, %q, %q key(%k) causal scale = 0.5 {block_q = 3 : i64, dropout_p = 0.1 : f64, site = 0 : i64} : (tensor<1x1x10x6xf32>, tensor<1x1x10x6xf32>, tensor<1x1x10x6xf32>, tensor<2xi32>) -> (tensor<1x1x10x6xf32>, tensor<1x1x10xf32>)
  %p = tt.square %o : tensor<1x1x10x6xf32>
  %l = tt.mean %p dims = [0, 1, 2, 3] : (tensor<1x1x10x6xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
func.func @f(%x: tensor<10x6xf32>, %y: tensor<10x6xf32>, %z: tensor<10x6xf32>, %key: tensor<2xi32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %a = call @a(%x, %key) : (tensor<10x6xf32>, tensor<2xi32>) -> tensor<f32>
  %b = call @b(%y, %key) : (tensor<10x6xf32>, tensor<2xi32>) -> tensor<f32>
  %c = call @c(%z, %key) : (tensor<10x6xf32>, tensor<2xi32>) -> tensor<f32>
  return %a, %b, %c : tensor<f32>, tensor<f32>, tensor<f32>
}
