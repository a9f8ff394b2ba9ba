// The kind: a range whose ends count, before what is clamped.
// input: -1.5 -1 -0.5 1 1.5
// result 0: -1 -1 -0.5 1 1
// gradient 0: 0 1 1 1 0
func.func @f(%x: tensor<5xf32>) -> tensor<5xf32> {
  %y = tt.clamp %x low = -1.0 high = 1.0 : tensor<5xf32>
  return %y : tensor<5xf32>
}
