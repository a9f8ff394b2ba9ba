// Keys that the function makes itself, under replayed layers: one of an input and a
// number, one that is read from a table.
func.func private @layer(%x: tensor<3x8xf32>, %w: tensor<8x8xf32>, %k: tensor<2xi32>) -> tensor<3x8xf32> {
  %y = tt.linear in_out %x, %w : (tensor<3x8xf32>, tensor<8x8xf32>) -> tensor<3x8xf32>
  %t = tt.gelu tanh %y : tensor<3x8xf32>
  %d = tt.dropout %t, %k p = 0.25 site = 0 samples = 3 : (tensor<3x8xf32>, tensor<2xi32>) -> tensor<3x8xf32>
  return %d : tensor<3x8xf32>
}
func.func @loss(%w: tensor<5x8x8xf32> {tt.param = "w"}, %x: tensor<3x8xf32> {tt.input = "x"},
                %draw: tensor<i64> {tt.input = "draw"}, %keys: tensor<3x2xi32> {tt.input = "keys"}) -> (tensor<f32> {tt.output = "loss"}) {
  %seed = tt.constant dense<17> : tensor<i64>
  %key = tt.rng_key %seed, %draw : (tensor<i64>, tensor<i64>) -> tensor<2xi32>
  %y = tt.repeat @layer count = 5 carried(%x) stacked(%w) key(%key) : (tensor<3x8xf32>, tensor<5x8x8xf32>, tensor<2xi32>) -> tensor<3x8xf32>
  %row = tt.slice %keys dim = 0 start = 1 size = 1 : (tensor<3x2xi32>) -> tensor<1x2xi32>
  %chosen = tt.reshape %row : tensor<1x2xi32> -> tensor<2xi32>
  %z = tt.repeat @layer count = 5 carried(%y) stacked(%w) key(%chosen) : (tensor<3x8xf32>, tensor<5x8x8xf32>, tensor<2xi32>) -> tensor<3x8xf32>
  %s = tt.square %z : tensor<3x8xf32>
  %l = tt.mean %s dims = [0, 1] : (tensor<3x8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
