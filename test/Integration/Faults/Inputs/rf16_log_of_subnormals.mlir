// Numbers below the smallest normal one have logarithms of their own.
// input: 1.1754943508222875e-38 5.8774717541114375e-39 1.4012984643248171e-45 1.0761972206014595e-42 1
// result 0: -87.3365448 -88.0296919 -103.27893 -96.6351402 0
func.func @f(%x: tensor<5xf32>) -> tensor<5xf32> {
  %y = tt.log %x : tensor<5xf32>
  return %y : tensor<5xf32>
}
