// The kind.
// 1 - tanh^2 of 20, 1.7e-17, is 0 in f32: tanh is 1.
// input: -1000 -100 -20 0 20 88 100 1000
// result 0: -1 -1 -1 0 1 1 1 1
// gradient 0: 0 5.53558611e-87 1.6993417e-17 1 1.6993417e-17 1.46632816e-76 5.53558611e-87 0
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = tt.tanh %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
