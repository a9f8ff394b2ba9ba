// Powers, soft functions and clamps; masked tails and a broadcast.
func.func @loss(%a: tensor<3x37xf32> {tt.param = "a"}, %b: tensor<37xf32> {tt.param = "b"}) -> (tensor<f32> {tt.output = "loss"}) {
  %s = tt.square %a : tensor<3x37xf32>
  %one = tt.constant dense<1.0> : tensor<3x37xf32>
  %p = tt.add %s, %one : tensor<3x37xf32>
  %0 = tt.pow %p exponent = 2.5 : tensor<3x37xf32>
  %1 = tt.pow %p exponent = -1.3 : tensor<3x37xf32>
  %2 = tt.pow %a exponent = 3.0 : tensor<3x37xf32>
  %3 = tt.softplus %a : tensor<3x37xf32>
  %4 = tt.log1p %s : tensor<3x37xf32>
  %5 = tt.expm1 %a : tensor<3x37xf32>
  %6 = tt.relu2 %a : tensor<3x37xf32>
  %7 = tt.clamp %a low = -0.5 high = 0.75 : tensor<3x37xf32>
  %8 = tt.add %0, %1 : tensor<3x37xf32>
  %9 = tt.add %2, %3 : tensor<3x37xf32>
  %10 = tt.add %4, %5 : tensor<3x37xf32>
  %11 = tt.add %6, %7 : tensor<3x37xf32>
  %12 = tt.mul %8, %9 : tensor<3x37xf32>
  %13 = tt.mul %10, %11 : tensor<3x37xf32>
  %14 = tt.add %12, %13 : tensor<3x37xf32>
  %r = tt.round %14 : tensor<3x37xf32>
  %f = tt.floor %14 : tensor<3x37xf32>
  %c = tt.ceil %14 : tensor<3x37xf32>
  %g = tt.sign %14 : tensor<3x37xf32>
  %15 = tt.sub %14, %r : tensor<3x37xf32>
  %16 = tt.sub %c, %f : tensor<3x37xf32>
  %17 = tt.mul %15, %16 : tensor<3x37xf32>
  %18 = tt.mul %17, %g : tensor<3x37xf32>
  %19 = tt.add %14, %18 : tensor<3x37xf32>
  %w = tt.broadcast %b dims = [1] : tensor<37xf32> -> tensor<3x37xf32>
  %20 = tt.mul %19, %w : tensor<3x37xf32>
  %l = tt.mean %20 dims = [0, 1] : (tensor<3x37xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
