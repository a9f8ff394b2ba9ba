// A small model whose saved file has between 8 and 28 KB (kill_save.py's disk).
func.func @loss(%w: tensor<24x32xf32> {tt.param = "w", tt.init = "normal:0.2"},
                %b: tensor<32xf32> {tt.param = "b"},
                %h: tensor<32x12xf32> {tt.param = "head", tt.init = "normal:0.2"},
                %x: tensor<8x24xf32> {tt.input = "x"},
                %t: tensor<8xi32> {tt.input = "targets", tt.index_limit = 12})
    -> (tensor<f32> {tt.output = "loss"}) {
  %0 = tt.linear in_out %x, %w, %b : (tensor<8x24xf32>, tensor<24x32xf32>, tensor<32xf32>) -> tensor<8x32xf32>
  %1 = tt.gelu tanh %0 : tensor<8x32xf32>
  %2 = tt.linear in_out %1, %h : (tensor<8x32xf32>, tensor<32x12xf32>) -> tensor<8x12xf32>
  %loss, %lse = tt.cross_entropy mean %2, %t : (tensor<8x12xf32>, tensor<8xi32>) -> (tensor<f32>, tensor<8xf32>)
  return %loss : tensor<f32>
}
