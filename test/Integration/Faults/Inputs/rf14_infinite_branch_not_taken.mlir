// Form C: the plain chain rule, as select's text says. The side that is not taken gets
// 0 * inf = NaN; the value is right.
// input: 1 -2
// input: full(inf)
// result 0: 0 -inf
// gradient 0: nan inf
func.func @f(%x: tensor<2xf32>, %inf: tensor<2xf32>) -> tensor<2xf32> {
  %zero = tt.constant dense<0.0> : tensor<2xf32>
  %c = tt.compare gt %x, %zero : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %p = tt.mul %x, %inf : tensor<2xf32>
  %s = tt.select %c, %zero, %p : tensor<2xi1>, tensor<2xf32>
  return %s : tensor<2xf32>
}
