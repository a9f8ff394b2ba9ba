// The values of case B alone, which typed runs give as well.
// tolerance: 1e-5
// input: 10000 10000.0009765625 10000.001953125 10000.0029296875 10000.00390625 10000.0048828125 10000.005859375 10000.0068359375 10000.0078125 10000.0087890625 10000.009765625 10000.0107421875 10000.01171875 10000.0126953125 10000.013671875 10000.0146484375
// input: full(1)
// input: full(0)
// result 0 at 0: -1.33133
// result 0 at 8: 0.08876
// result 0 at 15: 1.33133
func.func @f(%x: tensor<1x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<1x16xf32> {
  %y, %m, %r = tt.layer_norm %x, %g, %b eps = 1.0e-5 : (tensor<1x16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<1x16xf32>, tensor<1xf32>, tensor<1xf32>)
  return %y : tensor<1x16xf32>
}
