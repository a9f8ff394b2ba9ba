// The kind: the longest query length is 1: each document has one query, which sees all its keys;
// document 0 has none.
// input: fill(37,11)
// input: fill(53,29)
// input: fill(71,3)
// input: 1 3 4
// input: 0 1 1 3 4 4 4
// cotangent: fill(17,5)
// result 0: -0.691550319 0.417824681 -0.34375 0.765625 0.0791261723 -0.236050075
// gradient 0: -0.0769423608 0.0166950405 0 0 0.0473368854 0.0473368854
// gradient 1: 0 0 -0.0384711804 -0.0116139412 0.0384711804 0.0116139412 0 0 -0.0505126594 0.00445699936 0.0310490535 -0.00273962236 0.0194636059 -0.00171737699
// gradient 2: 0 0 -0.656603372 -0.46741257 -0.265271628 -0.18883743 -0.390625 -0.125 0.0412377036 0.119131144 0.0466391657 0.134735368 0.0527481306 0.152383489
func.func @f(%q: tensor<1x1x3x2xf32>, %k: tensor<1x1x7x2xf32>, %v: tensor<1x1x7x2xf32>, %qs: tensor<1x3xi32>, %ks: tensor<1x7xi32>) -> tensor<1x1x3x2xf32> {
  %o, %lse = tt.attention %q, %k, %v segments(%qs, %ks) scale = 0.70710678118654752440 : (tensor<1x1x3x2xf32>, tensor<1x1x7x2xf32>, tensor<1x1x7x2xf32>, tensor<1x3xi32>, tensor<1x7xi32>) -> (tensor<1x1x3x2xf32>, tensor<1x1x3xf32>)
  return %o : tensor<1x1x3x2xf32>
}
