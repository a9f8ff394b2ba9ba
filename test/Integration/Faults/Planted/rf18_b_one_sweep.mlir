// As reported: mean of squares minus square of mean, which f64 survives and f32 does not.
// tolerance: 1e-5
// input: 10000 10000.0009765625 10000.001953125 10000.0029296875 10000.00390625 10000.0048828125 10000.005859375 10000.0068359375 10000.0078125 10000.0087890625 10000.009765625 10000.0107421875 10000.01171875 10000.0126953125 10000.013671875 10000.0146484375
// input: full(1)
// input: full(0)
// cotangent: 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// result 0 at 0: -1.33133
// result 0 at 8: 0.08876
// result 0 at 15: 1.33133
// gradient 0: 150.2744 -28.81215 -26.12731 -23.44248 -20.75764 -18.0728 -15.38797 -12.70313 -10.01829 -7.333456 -4.648619 -1.963783 0.7210541 3.405891 6.090728 8.775564
func.func @f(%x: tensor<1x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<1x16xf32> {
  %eps = tt.constant dense<1.0e-5> : tensor<1xf32>
  %mean = tt.mean %x dims = [1] : (tensor<1x16xf32>) -> tensor<1xf32>
  %squares = tt.square %x : tensor<1x16xf32>
  %second = tt.mean %squares dims = [1] : (tensor<1x16xf32>) -> tensor<1xf32>
  %first = tt.square %mean : tensor<1xf32>
  %variance = tt.sub %second, %first : tensor<1xf32>
  %safe = tt.add %variance, %eps : tensor<1xf32>
  %rstd = tt.rsqrt %safe : tensor<1xf32>
  %m = tt.broadcast %mean dims = [0] : tensor<1xf32> -> tensor<1x16xf32>
  %r = tt.broadcast %rstd dims = [0] : tensor<1xf32> -> tensor<1x16xf32>
  %d = tt.sub %x, %m : tensor<1x16xf32>
  %n = tt.mul %d, %r : tensor<1x16xf32>
  %gw = tt.broadcast %g dims = [1] : tensor<16xf32> -> tensor<1x16xf32>
  %bw = tt.broadcast %b dims = [1] : tensor<16xf32> -> tensor<1x16xf32>
  %s = tt.mul %n, %gw : tensor<1x16xf32>
  %y = tt.add %s, %bw : tensor<1x16xf32>
  return %y : tensor<1x16xf32>
}
