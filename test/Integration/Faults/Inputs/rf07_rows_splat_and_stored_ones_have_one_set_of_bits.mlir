// The kind: the same after softmax, layer_norm, rms_norm, linear and cross_entropy without
// reduction. Right values: PyTorch in f64.
// input: fill(37,11)
// input: fill(53,29)
// input: full(1)
// input: fill(37,11)
// input: fill(53,29)
// input: full(1)
// input: 0 3 1
// input: full(1)
// input: full(1)
// result 0: 12.837490199318745
// gradient 0: -0.5005712 1.6398320 2.8329279 2.1043335 0.1670442 1.9433431 3.8108646 0.3387171 0.8257740 0.6911203 2.6476893 2.4406130
// gradient 1: -1.5937500 -1.5937500 -1.5937500 -1.5937500 0.1406250 0.1406250 0.1406250 0.1406250 1.8750000 1.8750000 1.8750000 1.8750000 -0.4218750 -0.4218750 -0.4218750 -0.4218750
// gradient 2: -5.2671801 0.6307114 6.5286030 -1.9053616
// result 1 as: result 0
// gradient 3 as: gradient 0
// gradient 4 as: gradient 1
// gradient 5 as: gradient 2
func.func @f(%x: tensor<3x4xf32>, %w: tensor<4x4xf32>, %g: tensor<4xf32>, %x2: tensor<3x4xf32>, %w2: tensor<4x4xf32>, %g2: tensor<4xf32>, %t: tensor<3xi32>, %ones: tensor<3x4xf32>, %one: tensor<3xf32>) -> (tensor<f32>, tensor<f32>) {
  %pa = tt.softmax %x : tensor<3x4xf32>
  %na, %meana, %rstda = tt.layer_norm %x, %g eps = 1.0e-5 : (tensor<3x4xf32>, tensor<4xf32>) -> (tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  %ra, %rrstda = tt.rms_norm %x, %g eps = 1.0e-5 : (tensor<3x4xf32>, tensor<4xf32>) -> (tensor<3x4xf32>, tensor<3xf32>)
  %ya = tt.linear in_out %x, %w : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  %ca, %lsea = tt.cross_entropy none %x, %t : (tensor<3x4xf32>, tensor<3xi32>) -> (tensor<3xf32>, tensor<3xf32>)
  %sa0 = tt.sum %pa dims = [0, 1] : (tensor<3x4xf32>) -> tensor<f32>
  %sa1 = tt.sum %na dims = [0, 1] : (tensor<3x4xf32>) -> tensor<f32>
  %sa2 = tt.sum %ra dims = [0, 1] : (tensor<3x4xf32>) -> tensor<f32>
  %sa3 = tt.sum %ya dims = [0, 1] : (tensor<3x4xf32>) -> tensor<f32>
  %sa4 = tt.sum %ca dims = [0] : (tensor<3xf32>) -> tensor<f32>
  %za1 = tt.add %sa0, %sa1 : tensor<f32>
  %za2 = tt.add %za1, %sa2 : tensor<f32>
  %za3 = tt.add %za2, %sa3 : tensor<f32>
  %za4 = tt.add %za3, %sa4 : tensor<f32>
  %pb = tt.softmax %x2 : tensor<3x4xf32>
  %nb, %meanb, %rstdb = tt.layer_norm %x2, %g2 eps = 1.0e-5 : (tensor<3x4xf32>, tensor<4xf32>) -> (tensor<3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  %rb, %rrstdb = tt.rms_norm %x2, %g2 eps = 1.0e-5 : (tensor<3x4xf32>, tensor<4xf32>) -> (tensor<3x4xf32>, tensor<3xf32>)
  %yb = tt.linear in_out %x2, %w2 : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>
  %cb, %lseb = tt.cross_entropy none %x2, %t : (tensor<3x4xf32>, tensor<3xi32>) -> (tensor<3xf32>, tensor<3xf32>)
  %pB = tt.mul %pb, %ones : tensor<3x4xf32>
  %nB = tt.mul %nb, %ones : tensor<3x4xf32>
  %rB = tt.mul %rb, %ones : tensor<3x4xf32>
  %yB = tt.mul %yb, %ones : tensor<3x4xf32>
  %cB = tt.mul %cb, %one : tensor<3xf32>
  %sb0 = tt.sum %pB dims = [0, 1] : (tensor<3x4xf32>) -> tensor<f32>
  %sb1 = tt.sum %nB dims = [0, 1] : (tensor<3x4xf32>) -> tensor<f32>
  %sb2 = tt.sum %rB dims = [0, 1] : (tensor<3x4xf32>) -> tensor<f32>
  %sb3 = tt.sum %yB dims = [0, 1] : (tensor<3x4xf32>) -> tensor<f32>
  %sb4 = tt.sum %cB dims = [0] : (tensor<3xf32>) -> tensor<f32>
  %zb1 = tt.add %sb0, %sb1 : tensor<f32>
  %zb2 = tt.add %zb1, %sb2 : tensor<f32>
  %zb3 = tt.add %zb2, %sb3 : tensor<f32>
  %zb4 = tt.add %zb3, %sb4 : tensor<f32>
  return %za4, %zb4 : tensor<f32>, tensor<f32>
}
