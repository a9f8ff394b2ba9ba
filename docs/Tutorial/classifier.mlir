// A classifier of rows of numbers: one hidden layer with dropout, a loss to train on,
// and two metrics beside it.
func.func @loss(
    %w1: tensor<16x32xf32> {tt.param = "w1", tt.init = "normal:0.25"},
    %b1: tensor<32xf32> {tt.param = "b1"},
    %w2: tensor<32x4xf32> {tt.param = "w2", tt.init = "normal:0.18"},
    %x: tensor<64x16xf32> {tt.input = "x"},
    %labels: tensor<64xi32> {tt.input = "labels", tt.index_limit = 4},
    %key: tensor<2xi32> {tt.input = "key"})
    -> (tensor<f32> {tt.output = "loss"}, tensor<f32> {tt.output = "accuracy"},
        tensor<64xi32> {tt.output = "guess"}) {
  %h = tt.linear in_out %x, %w1, %b1 : (tensor<64x16xf32>, tensor<16x32xf32>, tensor<32xf32>) -> tensor<64x32xf32>
  %a = tt.relu %h : tensor<64x32xf32>
  %d = tt.dropout %a, %key p = 0.1 site = 0 samples = 64 : (tensor<64x32xf32>, tensor<2xi32>) -> tensor<64x32xf32>
  %z = tt.linear in_out %d, %w2 : (tensor<64x32xf32>, tensor<32x4xf32>) -> tensor<64x4xf32>
  %loss, %lse = tt.cross_entropy mean %z, %labels : (tensor<64x4xf32>, tensor<64xi32>) -> (tensor<f32>, tensor<64xf32>)
  %guess = tt.argmax %z dim = 1 : (tensor<64x4xf32>) -> tensor<64xi32>
  %is_right = tt.compare eq %guess, %labels : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
  %right = tt.cast %is_right : tensor<64xi1> to tensor<64xf32>
  %accuracy = tt.mean %right dims = [0] : (tensor<64xf32>) -> tensor<f32>
  return %loss, %accuracy, %guess : tensor<f32>, tensor<f32>, tensor<64xi32>
}
