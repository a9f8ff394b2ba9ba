// From random program 711253: the value of a gradient transform is the parameter itself,
// kept under another name, and a replayed layer reads the parameter.
module {
  func.func private @layer(%arg0: tensor<1xf32>, %arg1: tensor<3xf32>) -> tensor<1xf32> {
    %0 = tt.grad_transform scale 5.000000e-01 %arg1 : tensor<3xf32>
    %1 = tt.sin %0 : tensor<3xf32>
    %2 = tt.slice %1 dim = 0 start = 2 size = 1 : (tensor<3xf32>) -> tensor<1xf32>
    %3 = tt.add %arg0, %2 : tensor<1xf32>
    return %3 : tensor<1xf32>
  }
  func.func @loss(%arg0: tensor<3xf32> {tt.init = "normal:0.5", tt.param = "l3"}, %arg1: tensor<3xf32> {tt.init = "normal:0.5", tt.param = "l4"}, %arg2: tensor<1xf32> {tt.init = "normal:0.5", tt.param = "s3_13"}) -> (tensor<f32> {tt.output = "loss"}) {
    %0 = call @layer(%arg2, %arg0) : (tensor<1xf32>, tensor<3xf32>) -> tensor<1xf32>
    %1 = call @layer(%0, %arg1) : (tensor<1xf32>, tensor<3xf32>) -> tensor<1xf32>
    %2 = tt.grad_transform reverse %arg0 : tensor<3xf32>
    %3 = tt.sin %2 : tensor<3xf32>
    %4 = tt.mean %1 dims = [0] : (tensor<1xf32>) -> tensor<f32>
    %5 = tt.mean %3 dims = [0] : (tensor<3xf32>) -> tensor<f32>
    %6 = tt.add %4, %5 : tensor<f32>
    return %6 : tensor<f32>
  }
}

