// A layer over stacked parameters, with a key and a shared mask.
func.func private @layer(%x: tensor<3x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>, %m: tensor<3x8xf32>, %k: tensor<2xi32>) -> tensor<3x8xf32> {
  %y = tt.linear in_out %x, %w, %b : (tensor<3x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<3x8xf32>
  %t = tt.gelu tanh %y : tensor<3x8xf32>
  %d = tt.dropout %t, %k p = 0.25 site = 0 samples = 3 : (tensor<3x8xf32>, tensor<2xi32>) -> tensor<3x8xf32>
  %u = tt.mul %d, %m : tensor<3x8xf32>
  %r = tt.add %x, %u : tensor<3x8xf32>
  return %r : tensor<3x8xf32>
}
func.func @loss(%w: tensor<5x8x8xf32> {tt.param = "w"}, %b: tensor<5x8xf32> {tt.param = "b"}, %x: tensor<3x8xf32> {tt.input = "x"},
                %m: tensor<3x8xf32> {tt.input = "m"}, %key: tensor<2xi32> {tt.input = "key"}) -> (tensor<f32> {tt.output = "loss"}) {
  %y = tt.repeat @layer count = 5 carried(%x) stacked(%w, %b) shared(%m) key(%key) : (tensor<3x8xf32>, tensor<5x8x8xf32>, tensor<5x8xf32>, tensor<3x8xf32>, tensor<2xi32>) -> tensor<3x8xf32>
  %s = tt.square %y : tensor<3x8xf32>
  %l = tt.mean %s dims = [0, 1] : (tensor<3x8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
