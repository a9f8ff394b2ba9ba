// The kind. f32 holds nothing of e^-200, so the value at -20 is 0.
// absolute-tolerance: 1e-37
// input: -1000 -100 -20 0 20 88 100 1000
// result 0: 0 0 -5.50724824e-88 0 20 88 100 1000
// gradient 0: 0 0 -1.10143605e-86 0.5 1 1 1 1
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = tt.gelu erf %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
