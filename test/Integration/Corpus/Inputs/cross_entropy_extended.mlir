// Smoothing, z-loss and class weights together; three reductions.
func.func @loss(%x: tensor<3x4x17xf32> {tt.param = "x"}, %w: tensor<17xf32> {tt.param = "w", check.range = [0.25, 2.0]}, %t: tensor<3x4xi32> {tt.input = "t", tt.index_limit = 17}) -> (tensor<f32> {tt.output = "loss"}) {
  %a, %la = tt.cross_entropy mean %x, %t weights(%w) {label_smoothing = 0.1 : f64, z_loss = 0.01 : f64, ignore_index = 3 : i64} : (tensor<3x4x17xf32>, tensor<3x4xi32>, tensor<17xf32>) -> (tensor<f32>, tensor<3x4xf32>)
  %b, %lb = tt.cross_entropy sum %x, %t {label_smoothing = 0.1 : f64} : (tensor<3x4x17xf32>, tensor<3x4xi32>) -> (tensor<f32>, tensor<3x4xf32>)
  %c, %lc = tt.cross_entropy none %x, %t {z_loss = 0.5 : f64} : (tensor<3x4x17xf32>, tensor<3x4xi32>) -> (tensor<3x4xf32>, tensor<3x4xf32>)
  %s = tt.mean %c dims = [0, 1] : (tensor<3x4xf32>) -> tensor<f32>
  %1 = tt.add %a, %b : tensor<f32>
  %2 = tt.add %1, %s : tensor<f32>
  return %2 : tensor<f32>
}
