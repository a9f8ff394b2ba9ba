// Form C with a constant: the plain chain rule, as select's text says.
// input: 1 -2
// not on compiled: the value holds, but the NaN is -NaN fused and NaN unfused, since LLVM folds 0 * inf
// not on layered: the value holds, but the NaN is -NaN fused and NaN unfused, since LLVM folds 0 * inf
// not on decomposed: the value holds, but the NaN is -NaN fused and NaN unfused, since LLVM folds 0 * inf
// result 0: 0 -inf
// gradient 0: nan inf
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %zero = tt.constant dense<0.0> : tensor<2xf32>
  %inf = tt.constant dense<0x7F800000> : tensor<2xf32>
  %c = tt.compare gt %x, %zero : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %p = tt.mul %x, %inf : tensor<2xf32>
  %s = tt.select %c, %zero, %p : tensor<2xi1>, tensor<2xf32>
  return %s : tensor<2xf32>
}
