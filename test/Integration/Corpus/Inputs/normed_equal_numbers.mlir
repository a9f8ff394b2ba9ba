// Random programs 882227 and 882450: rows of equal numbers, normed with equal gammas. The
// norms' gradient is 0, as the mean of the cotangents is each of them; what is left is the
// rounding of that mean times 1 / sqrt(eps), which the bound of compiled code did not know.
module {
  func.func @loss(%a: tensor<f32> {tt.init = "normal:0.5", tt.param = "a"}, %g: tensor<f32> {tt.init = "normal:0.5", tt.param = "g"}, %b: tensor<1xf32> {tt.init = "normal:0.5", tt.param = "b"}) -> (tensor<f32> {tt.output = "loss"}) {
    %0 = tt.broadcast %a dims = [] : tensor<f32> -> tensor<5xf32>
    %1 = tt.tanh %0 : tensor<5xf32>
    %2 = tt.broadcast %g dims = [] : tensor<f32> -> tensor<5xf32>
    %3 = tt.tanh %2 : tensor<5xf32>
    %y, %mean, %rstd = tt.layer_norm %1, %3 eps = 1.000000e-05 : (tensor<5xf32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<f32>, tensor<f32>)
    %4 = tt.mean %y dims = [0] : (tensor<5xf32>) -> tensor<f32>
    %5 = tt.broadcast %b dims = [0] : tensor<1xf32> -> tensor<1x12xf32>
    %6 = tt.reshape %5 : tensor<1x12xf32> -> tensor<2x6xf32>
    %7 = tt.broadcast %g dims = [] : tensor<f32> -> tensor<6xf32>
    %8 = tt.tanh %7 : tensor<6xf32>
    %z, %means, %rstds = tt.group_norm %6, %8 groups = 1 eps = 1.000000e-05 : (tensor<2x6xf32>, tensor<6xf32>) -> (tensor<2x6xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
    %9 = tt.mean %z dims = [0, 1] : (tensor<2x6xf32>) -> tensor<f32>
    %10 = tt.add %4, %9 : tensor<f32>
    %11 = tt.square %a : tensor<f32>
    %12 = tt.reshape %b : tensor<1xf32> -> tensor<f32>
    %13 = tt.square %12 : tensor<f32>
    %14 = tt.add %11, %13 : tensor<f32>
    %four = tt.constant dense<4.0> : tensor<f32>
    %15 = tt.mul %g, %four : tensor<f32>
    %16 = tt.add %14, %15 : tensor<f32>
    %loss = tt.add %10, %16 : tensor<f32>
    return %loss : tensor<f32>
  }
}
