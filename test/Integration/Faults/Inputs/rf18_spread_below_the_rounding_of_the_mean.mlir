// 10000 + 0.001 i: numbers of f32 are 2^-10 apart there.
// tolerance: 1e-5
// not on typed: the adjoint's formula reads the mean rounded to f32, and only compiled code takes off what that leaves
// input: 10000 10000.0009765625 10000.001953125 10000.0029296875 10000.00390625 10000.0048828125 10000.005859375 10000.0068359375 10000.0078125 10000.0087890625 10000.009765625 10000.0107421875 10000.01171875 10000.0126953125 10000.013671875 10000.0146484375
// input: full(1)
// input: full(0)
// cotangent: 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// result 0 at 0: -1.33133
// result 0 at 8: 0.08876
// result 0 at 15: 1.33133
// gradient 0: 150.2744 -28.81215 -26.12731 -23.44248 -20.75764 -18.0728 -15.38797 -12.70313 -10.01829 -7.333456 -4.648619 -1.963783 0.7210541 3.405891 6.090728 8.775564
func.func @f(%x: tensor<1x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<1x16xf32> {
  %y, %m, %r = tt.layer_norm %x, %g, %b eps = 1.0e-5 : (tensor<1x16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<1x16xf32>, tensor<1xf32>, tensor<1xf32>)
  return %y : tensor<1x16xf32>
}
