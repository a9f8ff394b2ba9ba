func.func @loss(%p0: tensor<16x31xf32> {tt.param = "p0", tt.frozen, tt.init = "normal:0.5"}, %x0: tensor<7x33x3x1xf32> {tt.input = "x0"}, %x1: tensor<13xf32> {tt.input = "x1"}, %p1: tensor<1xf32> {tt.param = "p1", tt.init = "normal:0.5"}) -> (tensor<f32> {tt.output = "loss"}) {
  %v1, %v2 = tt.rms_norm %x0, %p1 eps = 1.000000e+00 : (tensor<7x33x3x1xf32>, tensor<1xf32>) -> (tensor<7x33x3x1xf32>, tensor<7x33x3xf32>)
  %v4 = tt.concat %x1, %x1 dim = 0 : (tensor<13xf32>, tensor<13xf32>) -> tensor<26xf32>
  %v5 = tt.tanh %v4 : tensor<26xf32>
  %v6 = tt.transpose %x0 permutation = [0, 2, 3, 1] : (tensor<7x33x3x1xf32>) -> tensor<7x3x1x33xf32>
  %v7 = tt.reshape %v6 : tensor<7x3x1x33xf32> -> tensor<693xf32>
  %v8 = tt.slice %v7 dim = 0 start = 513 size = 26 : (tensor<693xf32>) -> tensor<26xf32>
  %v9 = tt.sub %v8, %v5 : tensor<26xf32>
  %v10, %v11 = tt.rms_norm %v1, %p1 eps = 1.000000e+00 : (tensor<7x33x3x1xf32>, tensor<1xf32>) -> (tensor<7x33x3x1xf32>, tensor<7x33x3xf32>)
  %v13 = tt.reshape %x0 : tensor<7x33x3x1xf32> -> tensor<693xf32>
  %v14 = tt.slice %v13 dim = 0 start = 153 size = 26 : (tensor<693xf32>) -> tensor<26xf32>
  %v15 = tt.mul %v14, %v8 : tensor<26xf32>
  %v16 = tt.pad %v14 dim = 0 low = 782 high = 2888 : (tensor<26xf32>) -> tensor<3696xf32>
  %v17 = tt.reshape %v16 : tensor<3696xf32> -> tensor<7x33x1x16xf32>
  %v18 = tt.matmul %x0, %v17 : (tensor<7x33x3x1xf32>, tensor<7x33x1x16xf32>) -> tensor<7x33x3x16xf32>
  %v19 = tt.tanh %p0 : tensor<16x31xf32>
  %v20 = tt.mean %v19 dims = [0, 1] : (tensor<16x31xf32>) -> tensor<f32>
  %v21 = tt.tanh %v9 : tensor<26xf32>
  %v22 = tt.mean %v21 dims = [0] : (tensor<26xf32>) -> tensor<f32>
  %v23 = tt.add %v20, %v22 : tensor<f32>
  %v24 = tt.tanh %v10 : tensor<7x33x3x1xf32>
  %v25 = tt.sum %v24 dims = [0, 1, 2, 3] : (tensor<7x33x3x1xf32>) -> tensor<f32>
  %v26 = tt.add %v23, %v25 : tensor<f32>
  %v27 = tt.mean %v15 dims = [0] : (tensor<26xf32>) -> tensor<f32>
  %v28 = tt.add %v26, %v27 : tensor<f32>
  return %v28 : tensor<f32>
}
