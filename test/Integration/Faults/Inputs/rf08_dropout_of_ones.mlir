// dx is y, element by element: the adjoint has the mask of the forward. The sum and
// the elements follow from the formula of the op.
// input: full(1)
// input: 11 12
// gradient 0 as: result 0
// result 0 abs-sum: 4108
// result 0 at 0: 0
// result 0 at 1: 0
// result 0 at 2: 0
// result 0 at 3: 0
// result 0 at 4: 0
// result 0 at 5: 0
// result 0 at 4094: 2
// result 0 at 4095: 0
func.func @f(%x: tensor<64x64xf32>, %key: tensor<2xi32>) -> tensor<64x64xf32> {
  %y = tt.dropout %x, %key p = 0.5 site = 0 samples = 64 : (tensor<64x64xf32>, tensor<2xi32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
