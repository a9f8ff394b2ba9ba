// RUN: tt-opt %s --tt-fuse-loss=chunks=4 --split-input-file --verify-diagnostics

// What keeps a loss from running in chunks.
func.func @others(%h: tensor<4x8xf32>, %w: tensor<8x6xf32>, %t: tensor<4xi32>) -> (tensor<f32>, tensor<4x6xf32>) {
  %z = tt.linear in_out %h, %w : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  // expected-remark @below {{nothing to chunk: expected the loss of the logits of a tt.linear that nothing else reads, found logits that others read, too}}
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<4x6xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return %l, %z : tensor<f32>, tensor<4x6xf32>
}

// -----

func.func @other_op(%h: tensor<4x6xf32>, %t: tensor<4xi32>) -> tensor<f32> {
  %z = tt.gelu tanh %h : tensor<4x6xf32>
  // expected-remark @below {{found tt.gelu}}
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<4x6xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return %l : tensor<f32>
}

// -----

func.func @argument(%z: tensor<4x6xf32>, %t: tensor<4xi32>) -> tensor<f32> {
  // expected-remark @below {{found an argument}}
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<4x6xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return %l : tensor<f32>
}

// -----

// expected-remark @below {{nothing to chunk: found a tt.linear_cross_entropy, which has chunks of its own}}
module {
  func.func @chunked(%h: tensor<4x8xf32>, %w: tensor<8x6xf32>, %t: tensor<4xi32>) -> tensor<f32> {
    %l, %lse = tt.linear_cross_entropy mean in_out %h, %w, %t chunks = 2 : (tensor<4x8xf32>, tensor<8x6xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
    return %l : tensor<f32>
  }
}

// -----

// expected-remark @below {{nothing to chunk: expected a tt.cross_entropy, found none}}
module {
  func.func @none(%h: tensor<4xf32>) -> tensor<4xf32> {
    return %h : tensor<4xf32>
  }
}
