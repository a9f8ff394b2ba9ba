// Scores that the softcap holds at its ends: 1 - tanh^2 is what is left of 1, and d q and
// d k are nothing but that (random program 750207).
func.func @loss(%q: tensor<2x2x5x2xf32> {tt.param = "q", tt.init = "normal:0.3"}, %k: tensor<2x1x3x2xf32> {tt.param = "k", tt.init = "normal:0.3"}, %v: tensor<2x1x3x2xf32> {tt.param = "v", tt.init = "normal:0.5"}) -> (tensor<f32> {tt.output = "loss"}) {
    %four = tt.constant dense<4.0> : tensor<2x2x5x2xf32>
    %four2 = tt.constant dense<4.0> : tensor<2x1x3x2xf32>
    %a = tt.add %q, %four : tensor<2x2x5x2xf32>
    %b = tt.add %k, %four2 : tensor<2x1x3x2xf32>
    %output, %lse = tt.attention %a, %b, %v scale = 6.250000e-01 {softcap = 5.000000e+00 : f64} : (tensor<2x2x5x2xf32>, tensor<2x1x3x2xf32>, tensor<2x1x3x2xf32>) -> (tensor<2x2x5x2xf32>, tensor<2x2x5xf32>)
    %8 = tt.mean %lse dims = [0, 1, 2] : (tensor<2x2x5xf32>) -> tensor<f32>
    %9 = tt.mean %output dims = [0, 1, 2, 3] : (tensor<2x2x5x2xf32>) -> tensor<f32>
    %10 = tt.add %8, %9 : tensor<f32>
    return %10 : tensor<f32>
}
