// Rows and elements chosen at run time, forward and back.
func.func @loss(%a: tensor<9x2x5xf32> {tt.param = "a"}, %b: tensor<4x11xf32> {tt.param = "b"}, %c: tensor<7xf32> {tt.param = "c"},
                %i: tensor<3x4xi32> {tt.input = "i", tt.index_limit = 9}, %j: tensor<4x20xi32> {tt.input = "j", tt.index_limit = 11},
                %k: tensor<12xi64> {tt.input = "k", tt.index_limit = 7}) -> (tensor<f32> {tt.output = "loss"}) {
  %0 = tt.gather_rows %a, %i : (tensor<9x2x5xf32>, tensor<3x4xi32>) -> tensor<3x4x2x5xf32>
  %1 = tt.square %0 : tensor<3x4x2x5xf32>
  %2 = tt.reshape %1 : tensor<3x4x2x5xf32> -> tensor<12x10xf32>
  %3 = tt.scatter_add_rows %k, %2 rows = 7 : (tensor<12xi64>, tensor<12x10xf32>) -> tensor<7x10xf32>
  %4 = tt.gather_rows %c, %k : (tensor<7xf32>, tensor<12xi64>) -> tensor<12xf32>
  %5 = tt.gather_along %b, %j dim = 1 : (tensor<4x11xf32>, tensor<4x20xi32>) -> tensor<4x20xf32>
  %6 = tt.sin %5 : tensor<4x20xf32>
  %7 = tt.scatter_along %6, %j dim = 1 size = 13 : (tensor<4x20xf32>, tensor<4x20xi32>) -> tensor<4x13xf32>
  %8 = tt.one_hot %i : tensor<3x4xi32> -> tensor<3x4x11xf32>
  %9 = tt.slice %8 dim = 0 start = 1 size = 1 : (tensor<3x4x11xf32>) -> tensor<1x4x11xf32>
  %10 = tt.reshape %9 : tensor<1x4x11xf32> -> tensor<4x11xf32>
  %11 = tt.mul %10, %b : tensor<4x11xf32>
  %s3 = tt.square %3 : tensor<7x10xf32>
  %s4 = tt.exp %4 : tensor<12xf32>
  %s7 = tt.square %7 : tensor<4x13xf32>
  %l3 = tt.mean %s3 dims = [0, 1] : (tensor<7x10xf32>) -> tensor<f32>
  %l4 = tt.mean %s4 dims = [0] : (tensor<12xf32>) -> tensor<f32>
  %l7 = tt.mean %s7 dims = [0, 1] : (tensor<4x13xf32>) -> tensor<f32>
  %l11 = tt.sum %11 dims = [0, 1] : (tensor<4x11xf32>) -> tensor<f32>
  %x = tt.add %l3, %l4 : tensor<f32>
  %y = tt.add %l7, %l11 : tensor<f32>
  %l = tt.mul %x, %y : tensor<f32>
  return %l : tensor<f32>
}
