func.func private @layer(%h: tensor<13x16xf32>) -> (tensor<13x16xf32>) {
  %l1 = tt.broadcast %h dims = [0, 1] : tensor<13x16xf32> -> tensor<13x16x1xf32>
  %l2 = tt.pad %l1 dim = 1 low = 3 high = 0 : (tensor<13x16x1xf32>) -> tensor<13x19x1xf32>
  %l3 = tt.slice %h dim = 0 start = 4 size = 7 : (tensor<13x16xf32>) -> tensor<7x16xf32>
  %l4 = tt.softmax %h : tensor<13x16xf32>
  %l5 = tt.sum %l1 dims = [1] : (tensor<13x16x1xf32>) -> tensor<13x1xf32>
  %l6 = tt.tanh %l1 : tensor<13x16x1xf32>
  %l7 = tt.exp %l6 : tensor<13x16x1xf32>
  %l8 = tt.reshape %l7 : tensor<13x16x1xf32> -> tensor<208xf32>
  %l9 = tt.slice %l8 dim = 0 start = 113 size = 65 : (tensor<208xf32>) -> tensor<65xf32>
  %l10 = tt.reshape %l9 : tensor<65xf32> -> tensor<13x5x1xf32>
  %l11 = tt.matmul %l1, %l10 transpose_rhs : (tensor<13x16x1xf32>, tensor<13x5x1xf32>) -> tensor<13x16x5xf32>
  %l12 = tt.reshape %l11 : tensor<13x16x5xf32> -> tensor<1040xf32>
  %l13 = tt.slice %l12 dim = 0 start = 292 size = 208 : (tensor<1040xf32>) -> tensor<208xf32>
  %l14 = tt.reshape %l13 : tensor<208xf32> -> tensor<13x16xf32>
  %l15 = tt.tanh %l14 : tensor<13x16xf32>
  %l16 = tt.add %l15, %h : tensor<13x16xf32>
  return %l16 : tensor<13x16xf32>
}
func.func @loss(%p0: tensor<13x3xf32> {tt.param = "p0", tt.init = "normal:0.5"}, %x0: tensor<3xf32> {tt.input = "x0"}, %p1: tensor<2x16xf32> {tt.param = "p1", tt.init = "normal:0.5"}, %ids: tensor<1xi32> {tt.input = "ids", tt.index_limit = 2 : i64}, %p2: tensor<8x16xf32> {tt.param = "p2", tt.init = "normal:0.5"}, %p3: tensor<8xf32> {tt.param = "p3", tt.init = "normal:0.5"}, %p4: tensor<8x13xf32> {tt.param = "p4", tt.init = "normal:0.5"}, %p5: tensor<13xf32> {tt.param = "p5", tt.init = "normal:0.5"}) -> (tensor<f32> {tt.output = "loss"}) {
  %v1 = tt.embedding %p1, %ids : (tensor<2x16xf32>, tensor<1xi32>) -> tensor<1x16xf32>
  %v2 = tt.pad %x0 dim = 0 low = 34 high = 171 : (tensor<3xf32>) -> tensor<208xf32>
  %v3 = tt.reshape %v2 : tensor<208xf32> -> tensor<13x16xf32>
  %v4 = call @layer(%v3) : (tensor<13x16xf32>) -> tensor<13x16xf32>
  %v5 = call @layer(%v4) : (tensor<13x16xf32>) -> tensor<13x16xf32>
  %v6 = call @layer(%v5) : (tensor<13x16xf32>) -> tensor<13x16xf32>
  %v7 = tt.linear out_in %v4, %p2, %p3 : (tensor<13x16xf32>, tensor<8x16xf32>, tensor<8xf32>) -> tensor<13x8xf32>
  %v8 = tt.tanh %v3 : tensor<13x16xf32>
  %v9 = tt.exp %v8 : tensor<13x16xf32>
  %v10 = tt.swiglu %v9, %v8 : tensor<13x16xf32>
  %v11 = tt.constant dense<62> : tensor<i32>
  %v12 = tt.take %v2, %v11 dim = 0 : (tensor<208xf32>, tensor<i32>) -> tensor<f32>
  %v13 = tt.relu %v3 : tensor<13x16xf32>
  %v14 = tt.transpose %v3 permutation = [1, 0] : (tensor<13x16xf32>) -> tensor<16x13xf32>
  %v15 = tt.reshape %v3 : tensor<13x16xf32> -> tensor<208xf32>
  %v16 = tt.slice %v15 dim = 0 start = 3 size = 136 : (tensor<208xf32>) -> tensor<136xf32>
  %v17 = tt.reshape %v16 : tensor<136xf32> -> tensor<2x2x17x2xf32>
  %v18 = tt.reshape %v5 : tensor<13x16xf32> -> tensor<208xf32>
  %v19 = tt.slice %v18 dim = 0 start = 196 size = 8 : (tensor<208xf32>) -> tensor<8xf32>
  %v20 = tt.reshape %v19 : tensor<8xf32> -> tensor<2x2x1x2xf32>
  %v21 = tt.slice %v2 dim = 0 start = 3 size = 8 : (tensor<208xf32>) -> tensor<8xf32>
  %v22 = tt.reshape %v21 : tensor<8xf32> -> tensor<2x2x1x2xf32>
  %v23, %v24 = tt.attention %v17, %v20, %v22 causal scale = 1.00000000000000000e+00 : (tensor<2x2x17x2xf32>, tensor<2x2x1x2xf32>, tensor<2x2x1x2xf32>) -> (tensor<2x2x17x2xf32>, tensor<2x2x17xf32>)
  %v25 = tt.reshape %v6 : tensor<13x16xf32> -> tensor<208xf32>
  %v26 = tt.pad %v25 dim = 0 low = 286 high = 2226 : (tensor<208xf32>) -> tensor<2720xf32>
  %v27 = tt.reshape %v26 : tensor<2720xf32> -> tensor<2x4x17x20xf32>
  %v28 = tt.reshape %v8 : tensor<13x16xf32> -> tensor<208xf32>
  %v29 = tt.slice %v28 dim = 0 start = 24 size = 80 : (tensor<208xf32>) -> tensor<80xf32>
  %v30 = tt.reshape %v29 : tensor<80xf32> -> tensor<2x2x1x20xf32>
  %v31 = tt.pad %v21 dim = 0 low = 13 high = 59 : (tensor<8xf32>) -> tensor<80xf32>
  %v32 = tt.reshape %v31 : tensor<80xf32> -> tensor<2x2x1x20xf32>
  %v33, %v34 = tt.attention %v27, %v30, %v32 causal scale = 1.00000000000000000e+00 : (tensor<2x4x17x20xf32>, tensor<2x2x1x20xf32>, tensor<2x2x1x20xf32>) -> (tensor<2x4x17x20xf32>, tensor<2x4x17xf32>)
  %v35 = tt.reshape %v3 : tensor<13x16xf32> -> tensor<208xf32>
  %v36 = tt.slice %v35 dim = 0 start = 48 size = 80 : (tensor<208xf32>) -> tensor<80xf32>
  %v37 = tt.reshape %v36 : tensor<80xf32> -> tensor<2x2x1x20xf32>
  %v38 = tt.swiglu %v37, %v32 : tensor<2x2x1x20xf32>
  %v39 = tt.linear in_out %v21, %p4, %p5 : (tensor<8xf32>, tensor<8x13xf32>, tensor<13xf32>) -> tensor<13xf32>
  %v40 = tt.cos %v32 : tensor<2x2x1x20xf32>
  %v41 = tt.pad %v39 dim = 0 low = 1 high = 2 : (tensor<13xf32>) -> tensor<16xf32>
  %v42 = tt.reshape %v41 : tensor<16xf32> -> tensor<1x16xf32>
  %v43 = tt.maximum %v42, %v1 : tensor<1x16xf32>
  %v44 = tt.rope half_split %v6 theta = 5.000000e+05 : (tensor<13x16xf32>) -> tensor<13x16xf32>
  %v45 = tt.tanh %p0 : tensor<13x3xf32>
  %v46 = tt.mean %v45 dims = [0, 1] : (tensor<13x3xf32>) -> tensor<f32>
  %v47 = tt.tanh %v7 : tensor<13x8xf32>
  %v48 = tt.mean %v47 dims = [0, 1] : (tensor<13x8xf32>) -> tensor<f32>
  %v49 = tt.add %v46, %v48 : tensor<f32>
  %v50 = tt.tanh %v10 : tensor<13x16xf32>
  %v51 = tt.mean %v50 dims = [0, 1] : (tensor<13x16xf32>) -> tensor<f32>
  %v52 = tt.add %v49, %v51 : tensor<f32>
  %v53 = tt.tanh %v12 : tensor<f32>
  %v54 = tt.add %v52, %v53 : tensor<f32>
  %v55 = tt.tanh %v13 : tensor<13x16xf32>
  %v56 = tt.mean %v55 dims = [0, 1] : (tensor<13x16xf32>) -> tensor<f32>
  %v57 = tt.add %v54, %v56 : tensor<f32>
  %v58 = tt.tanh %v14 : tensor<16x13xf32>
  %v59 = tt.mean %v58 dims = [0, 1] : (tensor<16x13xf32>) -> tensor<f32>
  %v60 = tt.add %v57, %v59 : tensor<f32>
  %v61 = tt.tanh %v23 : tensor<2x2x17x2xf32>
  %v62 = tt.sum %v61 dims = [0, 1, 2, 3] : (tensor<2x2x17x2xf32>) -> tensor<f32>
  %v63 = tt.add %v60, %v62 : tensor<f32>
  %v64 = tt.tanh %v33 : tensor<2x4x17x20xf32>
  %v65 = tt.mean %v64 dims = [0, 1, 2, 3] : (tensor<2x4x17x20xf32>) -> tensor<f32>
  %v66 = tt.add %v63, %v65 : tensor<f32>
  %v67 = tt.tanh %v38 : tensor<2x2x1x20xf32>
  %v68 = tt.sum %v67 dims = [0, 1, 2, 3] : (tensor<2x2x1x20xf32>) -> tensor<f32>
  %v69 = tt.add %v66, %v68 : tensor<f32>
  %v70 = tt.tanh %v40 : tensor<2x2x1x20xf32>
  %v71 = tt.sum %v70 dims = [0, 1, 2, 3] : (tensor<2x2x1x20xf32>) -> tensor<f32>
  %v72 = tt.add %v69, %v71 : tensor<f32>
  %v73 = tt.tanh %v43 : tensor<1x16xf32>
  %v74 = tt.mean %v73 dims = [0, 1] : (tensor<1x16xf32>) -> tensor<f32>
  %v75 = tt.add %v72, %v74 : tensor<f32>
  %v76 = tt.tanh %v44 : tensor<13x16xf32>
  %v77 = tt.sum %v76 dims = [0, 1] : (tensor<13x16xf32>) -> tensor<f32>
  %v78 = tt.add %v75, %v77 : tensor<f32>
  return %v78 : tensor<f32>
}
