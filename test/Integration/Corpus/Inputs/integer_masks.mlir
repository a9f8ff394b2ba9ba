// A mask from positions of the run and constants: quotient, rest and logic.
func.func @loss(%a: tensor<5x19xf32> {tt.param = "a"}, %p: tensor<5x19xi32> {tt.input = "p"}, %q: tensor<5x19xi64> {tt.input = "q"}) -> (tensor<f32> {tt.output = "loss"}) {
  %three = tt.constant dense<3> : tensor<5x19xi32>
  %minus = tt.constant dense<-7> : tensor<5x19xi32>
  %one = tt.constant dense<1> : tensor<5x19xi32>
  %0 = tt.floor_div %p, %minus : tensor<5x19xi32>
  %1 = tt.rem %0, %three : tensor<5x19xi32>
  %2 = tt.sub %1, %one : tensor<5x19xi32>
  // Divisors of 0 are there.
  %3 = tt.floor_div %p, %2 : tensor<5x19xi32>
  %4 = tt.maximum %3, %minus : tensor<5x19xi32>
  %5 = tt.minimum %4, %three : tensor<5x19xi32>
  %6 = tt.mul %5, %5 : tensor<5x19xi32>
  %odd = tt.and %p, %one : tensor<5x19xi32>
  %isOdd = tt.compare eq %odd, %one : (tensor<5x19xi32>, tensor<5x19xi32>) -> tensor<5x19xi1>
  %row = tt.iota dim = 0 : tensor<5x19xi32>
  %column = tt.iota dim = 1 : tensor<5x19xi32>
  %causal = tt.compare le %column, %row : (tensor<5x19xi32>, tensor<5x19xi32>) -> tensor<5x19xi1>
  %wide = tt.constant dense<524288> : tensor<5x19xi64>
  %low = tt.compare lt %q, %wide : (tensor<5x19xi64>, tensor<5x19xi64>) -> tensor<5x19xi1>
  %7 = tt.or %causal, %low : tensor<5x19xi1>
  %8 = tt.xor %7, %isOdd : tensor<5x19xi1>
  %9 = tt.not %8 : tensor<5x19xi1>
  %f = tt.cast %6 : tensor<5x19xi32> to tensor<5x19xf32>
  %10 = tt.mul %a, %f : tensor<5x19xf32>
  %11 = tt.square %a : tensor<5x19xf32>
  %12 = tt.select %9, %10, %11 : tensor<5x19xi1>, tensor<5x19xf32>
  %l = tt.mean %12 dims = [0, 1] : (tensor<5x19xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
