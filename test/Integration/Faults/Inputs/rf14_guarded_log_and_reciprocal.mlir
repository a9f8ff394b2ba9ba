// The kind: other singular ops behind the safe form.
// input: 4 0 -1 0.5
// result 0: 1.63629436 0 0 1.30685282
// gradient 0: 0.1875 0 0 -2
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = tt.constant dense<0.0> : tensor<4xf32>
  %one = tt.constant dense<1.0> : tensor<4xf32>
  %c = tt.compare gt %x, %zero : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %safe = tt.select %c, %x, %one : tensor<4xi1>, tensor<4xf32>
  %l = tt.log %safe : tensor<4xf32>
  %r = tt.reciprocal %safe : tensor<4xf32>
  %s = tt.add %l, %r : tensor<4xf32>
  %y = tt.select %c, %s, %zero : tensor<4xi1>, tensor<4xf32>
  return %y : tensor<4xf32>
}
