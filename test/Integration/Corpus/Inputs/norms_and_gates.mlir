// group_norm, rms_norm with unit offset, geglu, reglu, variance, logsumexp.
func.func @loss(%x: tensor<3x6x5xf32> {tt.param = "x"}, %g: tensor<6xf32> {tt.param = "g"}, %b: tensor<6xf32> {tt.param = "b"}, %r: tensor<5xf32> {tt.param = "r"}, %u: tensor<3x6x5xf32> {tt.param = "u"}) -> (tensor<f32> {tt.output = "loss"}) {
  %y, %m, %s = tt.group_norm %x, %g, %b groups = 2 eps = 1.0e-5 : (tensor<3x6x5xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<3x6x5xf32>, tensor<3x2xf32>, tensor<3x2xf32>)
  %n, %rs = tt.rms_norm %y, %r eps = 1.0e-5 unit_offset : (tensor<3x6x5xf32>, tensor<5xf32>) -> (tensor<3x6x5xf32>, tensor<3x6xf32>)
  %a = tt.geglu tanh %n, %u : tensor<3x6x5xf32>
  %c = tt.geglu erf %u, %a : tensor<3x6x5xf32>
  %d = tt.reglu %c, %n : tensor<3x6x5xf32>
  %v = tt.variance %d dims = [0, 2] {correction = 1 : i64} : (tensor<3x6x5xf32>) -> tensor<6xf32>
  %w = tt.variance %c dims = [2] : (tensor<3x6x5xf32>) -> tensor<3x6xf32>
  %e = tt.logsumexp %a dims = [0, 1] : (tensor<3x6x5xf32>) -> tensor<5xf32>
  %f = tt.logsumexp %y dims = [2] : (tensor<3x6x5xf32>) -> tensor<3x6xf32>
  %1 = tt.sum %v dims = [0] : (tensor<6xf32>) -> tensor<f32>
  %2 = tt.mean %w dims = [0, 1] : (tensor<3x6xf32>) -> tensor<f32>
  %3 = tt.sum %e dims = [0] : (tensor<5xf32>) -> tensor<f32>
  %4 = tt.mean %f dims = [0, 1] : (tensor<3x6xf32>) -> tensor<f32>
  %5 = tt.add %1, %2 : tensor<f32>
  %6 = tt.add %3, %4 : tensor<f32>
  %7 = tt.add %5, %6 : tensor<f32>
  return %7 : tensor<f32>
}
