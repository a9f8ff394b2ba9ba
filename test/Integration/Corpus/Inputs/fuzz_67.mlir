func.func private @layer(%h: tensor<31x1x13xf32>, %w1: tensor<31x13x16xf32>, %w2: tensor<31x16x31xf32>, %w3: tensor<13xf32>, %w4: tensor<13xf32>) -> (tensor<31x1x13xf32>, tensor<31x1x13xf32>) {
  %l1 = tt.tanh %h : tensor<31x1x13xf32>
  %l2 = tt.exp %l1 : tensor<31x1x13xf32>
  %l3 = tt.matmul %l1, %w1 : (tensor<31x1x13xf32>, tensor<31x13x16xf32>) -> tensor<31x1x16xf32>
  %l4 = tt.transpose %l3 permutation = [2, 1, 0] : (tensor<31x1x16xf32>) -> tensor<16x1x31xf32>
  %l5 = tt.matmul %l3, %w2 : (tensor<31x1x16xf32>, tensor<31x16x31xf32>) -> tensor<31x1x31xf32>
  %l6 = tt.mean %l1 dims = [2] : (tensor<31x1x13xf32>) -> tensor<31x1xf32>
  %l7 = tt.sin %l6 : tensor<31x1xf32>
  %l8 = tt.transpose %l7 permutation = [1, 0] : (tensor<31x1xf32>) -> tensor<1x31xf32>
  %l9, %l10, %l11 = tt.layer_norm %h, %w3, %w4 eps = 1.000000e+00 : (tensor<31x1x13xf32>, tensor<13xf32>, tensor<13xf32>) -> (tensor<31x1x13xf32>, tensor<31x1xf32>, tensor<31x1xf32>)
  %l12 = tt.tanh %l9 : tensor<31x1x13xf32>
  %l13 = tt.add %l12, %h : tensor<31x1x13xf32>
  return %l13, %h : tensor<31x1x13xf32>, tensor<31x1x13xf32>
}
func.func @loss(%p0: tensor<13xf32> {tt.param = "p0", tt.init = "normal:0.5"}, %x0: tensor<7x1xf32> {tt.input = "x0"}, %x1: tensor<16x3xf32> {tt.input = "x1"}, %p1: tensor<1x16xf32> {tt.param = "p1", tt.init = "normal:0.5"}, %ids: tensor<2x3xi32> {tt.input = "ids", tt.index_limit = 1 : i64}, %p2: tensor<31x13x16xf32> {tt.param = "p2", tt.frozen, tt.init = "normal:0.5"}, %p3: tensor<31x16x31xf32> {tt.param = "p3", tt.frozen, tt.init = "normal:0.5"}, %p4: tensor<13xf32> {tt.param = "p4", tt.init = "normal:0.5"}, %p5: tensor<13xf32> {tt.param = "p5", tt.init = "normal:0.5"}, %p6: tensor<31x13x16xf32> {tt.param = "p6", tt.frozen, tt.init = "normal:0.5"}, %p7: tensor<31x16x31xf32> {tt.param = "p7", tt.frozen, tt.init = "normal:0.5"}, %p8: tensor<13xf32> {tt.param = "p8", tt.init = "normal:0.5"}, %p9: tensor<7x13xf32> {tt.param = "p9", tt.init = "normal:0.5"}, %p10: tensor<13x16xf32> {tt.param = "p10", tt.init = "normal:0.5"}) -> (tensor<f32> {tt.output = "loss"}) {
  %v1 = tt.embedding %p1, %ids : (tensor<1x16xf32>, tensor<2x3xi32>) -> tensor<2x3x16xf32>
  %v2 = tt.reshape %v1 : tensor<2x3x16xf32> -> tensor<96xf32>
  %v3 = tt.pad %v2 dim = 0 low = 153 high = 154 : (tensor<96xf32>) -> tensor<403xf32>
  %v4 = tt.reshape %v3 : tensor<403xf32> -> tensor<31x1x13xf32>
  %v5:2 = call @layer(%v4, %p2, %p3, %p4, %p5) : (tensor<31x1x13xf32>, tensor<31x13x16xf32>, tensor<31x16x31xf32>, tensor<13xf32>, tensor<13xf32>) -> (tensor<31x1x13xf32>, tensor<31x1x13xf32>)
  %v6:2 = call @layer(%v5#0, %p6, %p7, %p4, %p8) : (tensor<31x1x13xf32>, tensor<31x13x16xf32>, tensor<31x16x31xf32>, tensor<13xf32>, tensor<13xf32>) -> (tensor<31x1x13xf32>, tensor<31x1x13xf32>)
  %v7 = tt.softmax %v6#0 : tensor<31x1x13xf32>
  %v8, %v9 = tt.max %p0 dim = 0 : (tensor<13xf32>) -> (tensor<f32>, tensor<i32>)
  %v10 = tt.pad %x0 dim = 0 low = 3 high = 0 : (tensor<7x1xf32>) -> tensor<10x1xf32>
  %v11 = tt.linear out_in %v7, %p9 : (tensor<31x1x13xf32>, tensor<7x13xf32>) -> tensor<31x1x7xf32>
  %v12 = tt.abs %v10 : tensor<10x1xf32>
  %v13 = tt.pad %v6#0 dim = 2 low = 2 high = 0 : (tensor<31x1x13xf32>) -> tensor<31x1x15xf32>
  %v14 = tt.transpose %x1 permutation = [1, 0] : (tensor<16x3xf32>) -> tensor<3x16xf32>
  %v15 = tt.swiglu %v10, %v10 : tensor<10x1xf32>
  %v16 = tt.reshape %x0 : tensor<7x1xf32> -> tensor<7xf32>
  %v17 = tt.pad %v16 dim = 0 low = 2 high = 1 : (tensor<7xf32>) -> tensor<10xf32>
  %v18 = tt.reshape %v17 : tensor<10xf32> -> tensor<10x1xf32>
  %v19 = tt.sub %v10, %v18 : tensor<10x1xf32>
  %v20 = tt.linear in_out %v4, %p10 : (tensor<31x1x13xf32>, tensor<13x16xf32>) -> tensor<31x1x16xf32>
  %v21 = tt.tanh %v8 : tensor<f32>
  %v22 = tt.tanh %v11 : tensor<31x1x7xf32>
  %v23 = tt.mean %v22 dims = [0, 1, 2] : (tensor<31x1x7xf32>) -> tensor<f32>
  %v24 = tt.add %v21, %v23 : tensor<f32>
  %v25 = tt.tanh %v12 : tensor<10x1xf32>
  %v26 = tt.sum %v25 dims = [0, 1] : (tensor<10x1xf32>) -> tensor<f32>
  %v27 = tt.add %v24, %v26 : tensor<f32>
  %v28 = tt.tanh %v13 : tensor<31x1x15xf32>
  %v29 = tt.mean %v28 dims = [0, 1, 2] : (tensor<31x1x15xf32>) -> tensor<f32>
  %v30 = tt.add %v27, %v29 : tensor<f32>
  %v31 = tt.tanh %v14 : tensor<3x16xf32>
  %v32 = tt.mean %v31 dims = [0, 1] : (tensor<3x16xf32>) -> tensor<f32>
  %v33 = tt.add %v30, %v32 : tensor<f32>
  %v34 = tt.tanh %v15 : tensor<10x1xf32>
  %v35 = tt.sum %v34 dims = [0, 1] : (tensor<10x1xf32>) -> tensor<f32>
  %v36 = tt.add %v33, %v35 : tensor<f32>
  %v37 = tt.tanh %v19 : tensor<10x1xf32>
  %v38 = tt.sum %v37 dims = [0, 1] : (tensor<10x1xf32>) -> tensor<f32>
  %v39 = tt.add %v36, %v38 : tensor<f32>
  %v40 = tt.tanh %v20 : tensor<31x1x16xf32>
  %v41 = tt.mean %v40 dims = [0, 1, 2] : (tensor<31x1x16xf32>) -> tensor<f32>
  %v42 = tt.add %v39, %v41 : tensor<f32>
  return %v42 : tensor<f32>
}
