// Running sums, order and extrema along every dimension; a line of one element.
func.func @loss(%a: tensor<3x21x5xf32> {tt.param = "a"}, %b: tensor<2x1x33xf32> {tt.param = "b"}) -> (tensor<f32> {tt.output = "loss"}) {
  %0 = tt.cumsum %a dim = 1 : (tensor<3x21x5xf32>) -> tensor<3x21x5xf32>
  %1 = tt.cumsum exclusive reverse %0 dim = 2 : (tensor<3x21x5xf32>) -> tensor<3x21x5xf32>
  %2 = tt.cumsum reverse %1 dim = 0 : (tensor<3x21x5xf32>) -> tensor<3x21x5xf32>
  %3 = tt.tanh %2 : tensor<3x21x5xf32>
  %v, %i = tt.sort %a dim = 1 : (tensor<3x21x5xf32>) -> (tensor<3x21x5xf32>, tensor<3x21x5xi32>)
  %4 = tt.mul %v, %3 : tensor<3x21x5xf32>
  %w, %j = tt.topk %b dim = 2 k = 7 : (tensor<2x1x33xf32>) -> (tensor<2x1x7xf32>, tensor<2x1x7xi32>)
  %u, %h = tt.sort descending %w dim = 1 : (tensor<2x1x7xf32>) -> (tensor<2x1x7xf32>, tensor<2x1x7xi32>)
  %5 = tt.square %u : tensor<2x1x7xf32>
  %c = tt.cast %j : tensor<2x1x7xi32> to tensor<2x1x7xf32>
  %6 = tt.mul %5, %c : tensor<2x1x7xf32>
  %m, %k = tt.min %a dim = 2 : (tensor<3x21x5xf32>) -> (tensor<3x21xf32>, tensor<3x21xi32>)
  %n, %o = tt.min %4 dim = 1 : (tensor<3x21x5xf32>) -> (tensor<3x5xf32>, tensor<3x5xi32>)
  %p = tt.argmax %b dim = 2 : (tensor<2x1x33xf32>) -> tensor<2x1xi32>
  %q = tt.argmin %a dim = 0 : (tensor<3x21x5xf32>) -> tensor<21x5xi32>
  %pf = tt.cast %p : tensor<2x1xi32> to tensor<2x1xf32>
  %qf = tt.cast %q : tensor<21x5xi32> to tensor<21x5xf32>
  %l4 = tt.mean %4 dims = [0, 1, 2] : (tensor<3x21x5xf32>) -> tensor<f32>
  %l6 = tt.mean %6 dims = [0, 1, 2] : (tensor<2x1x7xf32>) -> tensor<f32>
  %sm = tt.square %m : tensor<3x21xf32>
  %lm = tt.mean %sm dims = [0, 1] : (tensor<3x21xf32>) -> tensor<f32>
  %ln = tt.sum %n dims = [0, 1] : (tensor<3x5xf32>) -> tensor<f32>
  %lp = tt.mean %pf dims = [0, 1] : (tensor<2x1xf32>) -> tensor<f32>
  %lq = tt.mean %qf dims = [0, 1] : (tensor<21x5xf32>) -> tensor<f32>
  %r = tt.add %l4, %l6 : tensor<f32>
  %s = tt.mul %lm, %lp : tensor<f32>
  %t = tt.mul %ln, %lq : tensor<f32>
  %x = tt.add %r, %s : tensor<f32>
  %l = tt.add %x, %t : tensor<f32>
  return %l : tensor<f32>
}
