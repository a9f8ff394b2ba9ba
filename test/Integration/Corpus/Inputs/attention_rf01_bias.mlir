// RF-01: the mask [[1,1,0],[0,0,0],[1,1,1]] as a bias of -inf; the middle row sees nothing.
func.func @loss(%q: tensor<1x1x3x2xf32> {tt.param = "q", tt.init = "normal:0.7"}, %k: tensor<1x1x3x2xf32> {tt.param = "k", tt.init = "normal:0.7"}, %v: tensor<1x1x3x2xf32> {tt.param = "v", tt.init = "normal:0.7"}) -> (tensor<f32> {tt.output = "loss"}) {
  %m = tt.constant dense<[[[[0.0, 0.0, 0xFF800000], [0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0]]]]> : tensor<1x1x3x3xf32>
  %o, %l = tt.attention %q, %k, %v bias(%m) scale = 0.7071067811865476 : (tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x2xf32>, tensor<1x1x3x3xf32>) -> (tensor<1x1x3x2xf32>, tensor<1x1x3xf32>)
  %0 = tt.sum %o dims = [0, 1, 2, 3] : (tensor<1x1x3x2xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
