// input: 2 3 5 7
// gradient 0: 19 2 2 2
func.func @f(%x: tensor<4xf32>) -> tensor<f32> {
  %h = tt.slice %x dim = 0 start = 0 size = 1 : (tensor<4xf32>) -> tensor<1xf32>
  %s = tt.reshape %h : tensor<1xf32> -> tensor<f32>
  %w = tt.broadcast %s dims = [] : tensor<f32> -> tensor<4xf32>
  %p = tt.mul %w, %x : tensor<4xf32>
  %l = tt.sum %p dims = [0] : (tensor<4xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
