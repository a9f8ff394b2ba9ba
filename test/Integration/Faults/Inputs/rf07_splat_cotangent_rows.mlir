// The kind: the same after softmax, layer_norm, rms_norm, linear and cross_entropy.
// input: fill(37,11)
// input: fill(53,29)
// input: full(1)
// input: 0 3 1
// Right values: PyTorch in f64.
// result 0: 12.837490199318745
// gradient 0: -0.5005712 1.6398320 2.8329279 2.1043335 0.1670442 1.9433431 3.8108646 0.3387171 0.8257740 0.6911203 2.6476893 2.4406130
// gradient 1: -1.5937500 -1.5937500 -1.5937500 -1.5937500 0.1406250 0.1406250 0.1406250 0.1406250 1.8750000 1.8750000 1.8750000 1.8750000 -0.4218750 -0.4218750 -0.4218750 -0.4218750
// gradient 2: -5.2671801 0.6307114 6.5286030 -1.9053616
func.func @f(%x: tensor<3x4xf32>, %w: tensor<4x4xf32>, %g: tensor<4xf32>, %t: tensor<3xi32>) -> tensor<f32> {
  %p = tt.softmax %x : tensor<3x4xf32>
  %n, %mean, %rstd = tt.layer_norm %x, %g eps = 1.0e-5 : (tensor<3x4xf32>, tensor<4xf32>) -> (tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  %r, %rrstd = tt.rms_norm %x, %g eps = 1.0e-5 : (tensor<3x4xf32>, tensor<4xf32>) -> (tensor<3x4xf32>, tensor<3xf32>)
  %y = tt.linear in_out %x, %w : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  %c, %lse = tt.cross_entropy none %x, %t : (tensor<3x4xf32>, tensor<3xi32>) -> (tensor<3xf32>, tensor<3xf32>)
  %s0 = tt.sum %p dims = [0, 1] : (tensor<3x4xf32>) -> tensor<f32>
  %s1 = tt.sum %n dims = [0, 1] : (tensor<3x4xf32>) -> tensor<f32>
  %s2 = tt.sum %r dims = [0, 1] : (tensor<3x4xf32>) -> tensor<f32>
  %s3 = tt.sum %y dims = [0, 1] : (tensor<3x4xf32>) -> tensor<f32>
  %s4 = tt.sum %c dims = [0] : (tensor<3xf32>) -> tensor<f32>
  %a = tt.add %s0, %s1 : tensor<f32>
  %b = tt.add %a, %s2 : tensor<f32>
  %d = tt.add %b, %s3 : tensor<f32>
  %e = tt.add %d, %s4 : tensor<f32>
  return %e : tensor<f32>
}
