// The kind: two matrices of ones, with a frozen argument and a constant of ones beside them: four
// values, two gradients. loss = sum(x a b) + sum(x c) + sum(x d), x data.
// input: 1 2 3 4
// input: full(1)
// input: full(1)
// input: full(1)
// result 0: 80
// gradient 0: none
// gradient 1: 8 8 12 12
// gradient 2: 10 10 10 10
// gradient 3: none
func.func @f(%x: tensor<2x2xf32>, %a: tensor<2x2xf32>, %b: tensor<2x2xf32>, %c: tensor<2x2xf32>) -> tensor<f32> {
  %data = tt.stop_gradient %x : tensor<2x2xf32>
  %frozen = tt.stop_gradient %c : tensor<2x2xf32>
  %d = tt.constant dense<1.0> : tensor<2x2xf32>
  %0 = tt.linear in_out %data, %a : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = tt.linear in_out %0, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = tt.linear in_out %data, %frozen : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = tt.linear in_out %data, %d : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = tt.add %1, %2 : tensor<2x2xf32>
  %5 = tt.add %4, %3 : tensor<2x2xf32>
  %6 = tt.sum %5 dims = [0, 1] : (tensor<2x2xf32>) -> tensor<f32>
  return %6 : tensor<f32>
}
