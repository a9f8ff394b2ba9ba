// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.rng_key: both operands are i64.
func.func @rng_key(%s: tensor<i32>) {
  // expected-error @below {{'tt.rng_key' op expected i64 scalars, but got 'tensor<i32>'}}
  %0 = tt.rng_key %s, %s : (tensor<i32>, tensor<i32>) -> tensor<2xi32>
  return
}

// -----

// tt.rng_fold (C1): a site of 32 bits.
func.func @site_high(%k: tensor<2xi32>) {
  // expected-error @below {{'tt.rng_fold' op expected site in [0, 2^32), but got 4294967296}}
  %0 = tt.rng_fold %k site = 4294967296 : tensor<2xi32>
  return
}

// -----

// tt.rng_fold (C1): a site is not negative.
func.func @site_negative(%k: tensor<2xi32>) {
  // expected-error @below {{'tt.rng_fold' op expected site in [0, 2^32), but got -1}}
  %0 = tt.rng_fold %k site = -1 : tensor<2xi32>
  return
}

// -----

// A key is two 32-bit words.
func.func @key(%k: tensor<4xi32>) {
  // expected-error @below {{'tt.rng_fold' op operand #0 must be tensor<2xi32> random key, but got 'tensor<4xi32>'}}
  %0 = tt.rng_fold %k site = 0 : tensor<4xi32>
  return
}

// -----

// tt.dropout (C1): p is below 1.
func.func @dropout_p(%x: tensor<2x8xf32>, %k: tensor<2xi32>) {
  // expected-error @below {{'tt.dropout' op expected p in [0, 1), but got 1.000000}}
  // expected-error @below {{'tt.dropout' op failed to infer returned types}}
  %0 = tt.dropout %x, %k p = 1.0 site = 0 samples = 2 : (tensor<2x8xf32>, tensor<2xi32>) -> tensor<2x8xf32>
  return
}

// -----

// tt.dropout (C2): samples divide the elements.
func.func @dropout_samples(%x: tensor<2x8xf32>, %k: tensor<2xi32>) {
  // expected-error @below {{'tt.dropout' op expected samples to divide the 16 elements, but got 3}}
  // expected-error @below {{'tt.dropout' op failed to infer returned types}}
  %0 = tt.dropout %x, %k p = 0.1 site = 0 samples = 3 : (tensor<2x8xf32>, tensor<2xi32>) -> tensor<2x8xf32>
  return
}

// -----

// tt.dropout (C3): a site of 32 bits.
func.func @dropout_site(%x: tensor<2x8xf32>, %k: tensor<2xi32>) {
  // expected-error @below {{'tt.dropout' op expected site in [0, 2^32), but got -1}}
  // expected-error @below {{'tt.dropout' op failed to infer returned types}}
  %0 = tt.dropout %x, %k p = 0.1 site = -1 samples = 2 : (tensor<2x8xf32>, tensor<2xi32>) -> tensor<2x8xf32>
  return
}

// -----

// tt.dropout_tile (C1): a tile has rank 2.
func.func @tile_rank(%x: tensor<16xf32>, %key: tensor<2xi32>, %b: index) {
  // expected-error @below {{'tt.dropout_tile' op expected a tile of rank 2, but got 'tensor<16xf32>'}}
  %0 = tt.dropout_tile %x, %key sample %b first %b p = 0.1 site = 0 row_stride = 1 : tensor<16xf32>, tensor<2xi32>
  return
}

// -----

// tt.dropout_tile (C2): p is below 1.
func.func @tile_p(%x: tensor<8x16xf32>, %key: tensor<2xi32>, %b: index) {
  // expected-error @below {{'tt.dropout_tile' op expected p in [0, 1), but got 1.000000}}
  %0 = tt.dropout_tile %x, %key sample %b first %b p = 1.0 site = 0 row_stride = 16 : tensor<8x16xf32>, tensor<2xi32>
  return
}

// -----

// tt.dropout_tile (C3): a site has 32 bits.
func.func @tile_site(%x: tensor<8x16xf32>, %key: tensor<2xi32>, %b: index) {
  // expected-error @below {{'tt.dropout_tile' op expected site in [0, 2^32), but got 4294967296}}
  %0 = tt.dropout_tile %x, %key sample %b first %b p = 0.1 site = 4294967296 row_stride = 16 : tensor<8x16xf32>, tensor<2xi32>
  return
}

// -----

// tt.dropout_tile (C4): a row is somewhere.
func.func @tile_stride(%x: tensor<8x16xf32>, %key: tensor<2xi32>, %b: index) {
  // expected-error @below {{'tt.dropout_tile' op expected a positive row_stride, but got 0}}
  %0 = tt.dropout_tile %x, %key sample %b first %b p = 0.1 site = 0 row_stride = 0 : tensor<8x16xf32>, tensor<2xi32>
  return
}

// -----

// tt.random_uniform (C1): samples divide the elements.
func.func @random_uniform_samples(%k: tensor<2xi32>) {
  // expected-error @below {{'tt.random_uniform' op expected samples to divide the 16 elements, but got 3}}
  %0 = tt.random_uniform %k site = 0 samples = 3 : tensor<2xi32> -> tensor<2x8xf32>
  return
}

// -----

// tt.random_uniform (C2): a site of 32 bits.
func.func @random_uniform_site(%k: tensor<2xi32>) {
  // expected-error @below {{'tt.random_uniform' op expected site in [0, 2^32), but got -1}}
  %0 = tt.random_uniform %k site = -1 samples = 2 : tensor<2xi32> -> tensor<2x8xf32>
  return
}

// -----

// tt.random_normal (C1): samples divide the elements.
func.func @random_normal_samples(%k: tensor<2xi32>) {
  // expected-error @below {{'tt.random_normal' op expected samples to divide the 16 elements, but got 3}}
  %0 = tt.random_normal %k site = 0 samples = 3 : tensor<2xi32> -> tensor<2x8xf32>
  return
}

// -----

// tt.random_normal (C2): a site of 32 bits.
func.func @random_normal_site(%k: tensor<2xi32>) {
  // expected-error @below {{'tt.random_normal' op expected site in [0, 2^32), but got -1}}
  %0 = tt.random_normal %k site = -1 samples = 2 : tensor<2xi32> -> tensor<2x8xf32>
  return
}
