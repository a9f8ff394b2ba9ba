// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.sum (C1): dims are dimensions.
func.func @sum_range(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.sum' op expected dims to increase inside [0, 2), but got 2 after -1}}
  // expected-error @below {{'tt.sum' op failed to infer returned types}}
  %0 = tt.sum %x dims = [2] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// tt.sum (C1): dims increase.
func.func @sum_order(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.sum' op expected dims to increase inside [0, 2), but got 0 after 1}}
  // expected-error @below {{'tt.sum' op failed to infer returned types}}
  %0 = tt.sum %x dims = [1, 0] : (tensor<4x8xf32>) -> tensor<f32>
  return
}

// -----

// tt.mean (C1): no dimension twice.
func.func @mean_twice(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.mean' op expected dims to increase inside [0, 2), but got 0 after 0}}
  // expected-error @below {{'tt.mean' op failed to infer returned types}}
  %0 = tt.mean %x dims = [0, 0] : (tensor<4x8xf32>) -> tensor<8xf32>
  return
}

// -----

// tt.max (C1): dim is a dimension.
func.func @max_range(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.max' op expected a dimension in [0, 2), but got -1}}
  // expected-error @below {{'tt.max' op failed to infer returned types}}
  %0, %1 = tt.max %x dim = -1 : (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xi32>)
  return
}

// -----

// tt.softmax (C1): the operand has a dimension.
func.func @softmax_rank(%x: tensor<f32>) {
  // expected-error @below {{'tt.softmax' op expected a tensor of rank 1 or more, but got 'tensor<f32>'}}
  %0 = tt.softmax %x : tensor<f32>
  return
}

// -----

// The result type is inferred.
func.func @sum_result(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.sum' op inferred type(s) 'tensor<8xf32>' are incompatible with return type(s) of operation 'tensor<4xf32>'}}
  // expected-error @below {{'tt.sum' op failed to infer returned types}}
  %0 = tt.sum %x dims = [0] : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}
