// A sink with less than 2^-10 of the rows, and keys with nearly all of them: the sum of p is
// not 1, and d q and d k are what cancels in them (random program 713383).
func.func @loss(%q: tensor<2x2x5x2xf32> {tt.param = "q", tt.init = "normal:3.0"}, %k: tensor<2x1x3x2xf32> {tt.param = "k", tt.init = "normal:3.0"}, %v: tensor<2x1x3x2xf32> {tt.param = "v", tt.init = "normal:0.5"}) -> (tensor<f32> {tt.output = "loss"}) {
    %three = tt.constant dense<3.0> : tensor<2x2x5x2xf32>
    %three2 = tt.constant dense<3.0> : tensor<2x1x3x2xf32>
    %a = tt.mul %q, %three : tensor<2x2x5x2xf32>
    %b = tt.mul %k, %three2 : tensor<2x1x3x2xf32>
    %7 = tt.constant dense<0.000000e+00> : tensor<2xf32>
    %output, %lse = tt.attention %a, %b, %v sinks(%7) scale = 6.250000e-01 : (tensor<2x2x5x2xf32>, tensor<2x1x3x2xf32>, tensor<2x1x3x2xf32>, tensor<2xf32>) -> (tensor<2x2x5x2xf32>, tensor<2x2x5xf32>)
    %8 = tt.mean %output dims = [0, 1, 2, 3] : (tensor<2x2x5x2xf32>) -> tensor<f32>
    return %8 : tensor<f32>
}
