// As reported: the mask is a strict clamp of the rounded value, which sits on the bound.
// input: -1.125 -1.0625 -1 -0.0625 0.0625 0.1875 0.8125 0.875 0.93 0.9375 1
// result 0: -1 -1 -1 0 0 0.25 0.75 0.875 0.875 0.875 0.875
// gradient 0: 0 1 1 1 1 1 1 1 1 0 0
func.func private @quantise(%x: tensor<11xf32>) -> tensor<11xf32> {
  %y = tt.fake_quant %x scale = 0.125 zero_point = 0 low = -8 high = 7 : tensor<11xf32>
  return %y : tensor<11xf32>
}
func.func @f(%x: tensor<11xf32>) -> tensor<11xf32> {
  %y = tt.custom_vjp @quantise(%x) surrogate : (tensor<11xf32>) -> tensor<11xf32> rule {
  ^bb0(%a: tensor<11xf32>, %b: tensor<11xf32>, %db: tensor<11xf32>):
    %low = tt.constant dense<-1.0> : tensor<11xf32>
    %high = tt.constant dense<0.875> : tensor<11xf32>
    %zero = tt.constant dense<0.0> : tensor<11xf32>
    %over = tt.compare gt %b, %low : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xi1>
    %under = tt.compare lt %b, %high : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xi1>
    %inside = tt.and %over, %under : tensor<11xi1>
    %da = tt.select %inside, %db, %zero : tensor<11xi1>, tensor<11xf32>
    tt.yield %da : tensor<11xf32>
  }
  return %y : tensor<11xf32>
}
