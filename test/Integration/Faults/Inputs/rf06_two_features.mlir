// The kind: a window and changed scores (cap and bias) meet partial tiles.
// input: fill(37,11)
// input: fill(53,29)
// input: fill(71,3)
// input: fill(29,7)
// cotangent: fill(17,5)
// result 0 abs-sum: 44.1621833
// gradient 0 abs-sum: 16.4551398
// gradient 1 abs-sum: 15.3484711
// gradient 2 abs-sum: 72.6222522
// result 0 at 288: 0.0536059544
// gradient 0 at 288: 0.105444605
// gradient 1 at 288: 0.0172127363
// gradient 2 at 288: 0.119045223
// gradient 3 abs-sum: 22.3391073
// gradient 3 at 1367: 0.00673436162
func.func @f(%q: tensor<1x1x37x8xf32>, %k: tensor<1x1x37x8xf32>, %v: tensor<1x1x37x8xf32>, %bias: tensor<1x1x37x37xf32>) -> tensor<1x1x37x8xf32> {
  %o, %lse = tt.attention %q, %k, %v bias(%bias) causal scale = 0.5 {softcap = 1.5 : f64, window_left = 10 : i64} : (tensor<1x1x37x8xf32>, tensor<1x1x37x8xf32>, tensor<1x1x37x8xf32>, tensor<1x1x37x37xf32>) -> (tensor<1x1x37x8xf32>, tensor<1x1x37xf32>)
  return %o : tensor<1x1x37x8xf32>
}
