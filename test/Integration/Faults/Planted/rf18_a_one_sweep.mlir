// As reported: mean of squares minus square of mean, which f64 survives and f32 does not.
// tolerance: 1e-3
// input: 40000 40001 40002 40003
// input: full(1)
// input: full(0)
// cotangent: 1 0 0 0
// result 0: -1.341635 -0.447212 0.447212 1.341635
// gradient 0: 0.26833 -0.357768 -0.089443 0.178882
func.func @f(%x: tensor<1x4xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<1x4xf32> {
  %eps = tt.constant dense<1.0e-5> : tensor<1xf32>
  %mean = tt.mean %x dims = [1] : (tensor<1x4xf32>) -> tensor<1xf32>
  %squares = tt.square %x : tensor<1x4xf32>
  %second = tt.mean %squares dims = [1] : (tensor<1x4xf32>) -> tensor<1xf32>
  %first = tt.square %mean : tensor<1xf32>
  %variance = tt.sub %second, %first : tensor<1xf32>
  %safe = tt.add %variance, %eps : tensor<1xf32>
  %rstd = tt.rsqrt %safe : tensor<1xf32>
  %m = tt.broadcast %mean dims = [0] : tensor<1xf32> -> tensor<1x4xf32>
  %r = tt.broadcast %rstd dims = [0] : tensor<1xf32> -> tensor<1x4xf32>
  %d = tt.sub %x, %m : tensor<1x4xf32>
  %n = tt.mul %d, %r : tensor<1x4xf32>
  %gw = tt.broadcast %g dims = [1] : tensor<4xf32> -> tensor<1x4xf32>
  %bw = tt.broadcast %b dims = [1] : tensor<4xf32> -> tensor<1x4xf32>
  %s = tt.mul %n, %gw : tensor<1x4xf32>
  %y = tt.add %s, %bw : tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}
