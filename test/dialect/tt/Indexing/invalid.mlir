// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.gather_rows (C1): rows.
func.func @gather_rank(%x: tensor<f32>, %i: tensor<3xi32>) {
  // expected-error @below {{'tt.gather_rows' op expected an input of rank 1 or more, but got 'tensor<f32>'}}
  // expected-error @below {{'tt.gather_rows' op failed to infer returned types}}
  %0 = tt.gather_rows %x, %i : (tensor<f32>, tensor<3xi32>) -> tensor<3xf32>
  return
}

// -----

// tt.scatter_add_rows (C1): a row per id.
func.func @scatter_shape(%u: tensor<4x8xf32>, %i: tensor<3xi32>) {
  // expected-error @below {{'tt.scatter_add_rows' op expected updates of the ids' shape and one dimension more, but got 'tensor<4x8xf32>' for ids 'tensor<3xi32>'}}
  // expected-error @below {{'tt.scatter_add_rows' op failed to infer returned types}}
  %0 = tt.scatter_add_rows %i, %u rows = 2 : (tensor<3xi32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  return
}

// -----

// tt.scatter_add_rows (C2): at least one row.
func.func @scatter_rows(%u: tensor<3x8xf32>, %i: tensor<3xi32>) {
  // expected-error @below {{'tt.scatter_add_rows' op expected at least one row, but got 0}}
  // expected-error @below {{'tt.scatter_add_rows' op failed to infer returned types}}
  %0 = tt.scatter_add_rows %i, %u rows = 0 : (tensor<3xi32>, tensor<3x8xf32>) -> tensor<0x8xf32>
  return
}

// -----

// tt.gather_along (C1): a dimension.
func.func @along_dim(%x: tensor<4x8xf32>, %i: tensor<4x3xi32>) {
  // expected-error @below {{'tt.gather_along' op expected a dimension in [0, 2), but got 2}}
  // expected-error @below {{'tt.gather_along' op failed to infer returned types}}
  %0 = tt.gather_along %x, %i dim = 2 : (tensor<4x8xf32>, tensor<4x3xi32>) -> tensor<4x3xf32>
  return
}

// -----

// tt.gather_along (C2): sizes agree.
func.func @along_sizes(%x: tensor<4x8xf32>, %i: tensor<5x3xi32>) {
  // expected-error @below {{'tt.gather_along' op expected indices like 'tensor<4x8xf32>' but for dimension 1, but got 'tensor<5x3xi32>'}}
  // expected-error @below {{'tt.gather_along' op failed to infer returned types}}
  %0 = tt.gather_along %x, %i dim = 1 : (tensor<4x8xf32>, tensor<5x3xi32>) -> tensor<5x3xf32>
  return
}

// -----

// tt.scatter_along (C1): a dimension.
func.func @put_dim(%u: tensor<4x3xf32>, %i: tensor<4x3xi32>) {
  // expected-error @below {{'tt.scatter_along' op expected a dimension in [0, 2), but got -1}}
  // expected-error @below {{'tt.scatter_along' op failed to infer returned types}}
  %0 = tt.scatter_along %u, %i dim = -1 size = 8 : (tensor<4x3xf32>, tensor<4x3xi32>) -> tensor<4x8xf32>
  return
}

// -----

// tt.scatter_along (C2): one shape.
func.func @put_shape(%u: tensor<4x3xf32>, %i: tensor<4x2xi32>) {
  // expected-error @below {{'tt.scatter_along' op expected indices of the shape of 'tensor<4x3xf32>', but got 'tensor<4x2xi32>'}}
  // expected-error @below {{'tt.scatter_along' op failed to infer returned types}}
  %0 = tt.scatter_along %u, %i dim = 1 size = 8 : (tensor<4x3xf32>, tensor<4x2xi32>) -> tensor<4x8xf32>
  return
}

// -----

// tt.scatter_along (C3): a size.
func.func @put_size(%u: tensor<4x3xf32>, %i: tensor<4x3xi32>) {
  // expected-error @below {{'tt.scatter_along' op expected a positive size, but got 0}}
  // expected-error @below {{'tt.scatter_along' op failed to infer returned types}}
  %0 = tt.scatter_along %u, %i dim = 1 size = 0 : (tensor<4x3xf32>, tensor<4x3xi32>) -> tensor<4x0xf32>
  return
}

// -----

// tt.one_hot (C1): one dimension more.
func.func @one_hot(%i: tensor<4xi32>) {
  // expected-error @below {{'tt.one_hot' op expected a result of the ids' shape and one dimension more, but got 'tensor<5x8xf32>' for ids 'tensor<4xi32>'}}
  %0 = tt.one_hot %i : tensor<4xi32> -> tensor<5x8xf32>
  return
}
