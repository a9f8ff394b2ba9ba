// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.attention (C1): rank 4.
func.func @rank(%q: tensor<2x8x16xf32>) {
  // expected-error @below {{'tt.attention' op expected q, k and v of rank 4 and one element type, but got 'tensor<2x8x16xf32>', 'tensor<2x8x16xf32>', 'tensor<2x8x16xf32>'}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q scale = 1.0 : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> (tensor<2x8x16xf32>, tensor<2x8xf32>)
  return
}

// -----

// tt.attention (C1): one element type.
func.func @element_type(%q: tensor<1x2x8x16xf32>, %k: tensor<1x2x8x16xbf16>) {
  // expected-error @below {{'tt.attention' op expected q, k and v of rank 4 and one element type, but got 'tensor<1x2x8x16xf32>', 'tensor<1x2x8x16xbf16>', 'tensor<1x2x8x16xbf16>'}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %k, %k scale = 1.0 : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xbf16>, tensor<1x2x8x16xbf16>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C2): head sizes agree.
func.func @head_size(%q: tensor<1x2x8x16xf32>, %k: tensor<1x2x8x8xf32>) {
  // expected-error @below {{'tt.attention' op expected k and v of one shape with batch 1 and head size 16, but got 'tensor<1x2x8x8xf32>' and 'tensor<1x2x8x8xf32>'}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %k, %k scale = 1.0 : (tensor<1x2x8x16xf32>, tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C2): k and v have one shape.
func.func @kv_shape(%q: tensor<1x2x8x16xf32>, %v: tensor<1x2x9x16xf32>) {
  // expected-error @below {{'tt.attention' op expected k and v of one shape with batch 1 and head size 16, but got 'tensor<1x2x8x16xf32>' and 'tensor<1x2x9x16xf32>'}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %v scale = 1.0 : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x9x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C3): query heads are a multiple of key heads.
func.func @heads(%q: tensor<1x3x8x16xf32>, %k: tensor<1x2x8x16xf32>) {
  // expected-error @below {{'tt.attention' op expected the number of query heads to be a multiple of the key heads, but got 3 and 2}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %k, %k scale = 1.0 : (tensor<1x3x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x3x8x16xf32>, tensor<1x3x8xf32>)
  return
}

// -----

// tt.attention (C4): segments are [B, T] and [B, S].
func.func @segments(%q: tensor<1x2x8x16xf32>, %s: tensor<1x7xi32>) {
  // expected-error @below {{'tt.attention' op expected segments [1, 8] and [1, 8] of one type, slopes and sinks [2], bias [1 or 1, 2 or 1, 8, 8]}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q segments(%s, %s) scale = 1.0 : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x7xi32>, tensor<1x7xi32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C4): slopes are [H].
func.func @slopes(%q: tensor<1x2x8x16xf32>, %s: tensor<3xf32>) {
  // expected-error @below {{'tt.attention' op expected segments [1, 8] and [1, 8] of one type, slopes and sinks [2], bias [1 or 1, 2 or 1, 8, 8]}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q slopes(%s) scale = 1.0 : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<3xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C4): bias is [B or 1, H or 1, T, S].
func.func @bias(%q: tensor<4x2x8x16xf32>, %b: tensor<2x2x8x8xf32>) {
  // expected-error @below {{'tt.attention' op expected segments [4, 8] and [4, 8] of one type, slopes and sinks [2], bias [4 or 1, 2 or 1, 8, 8]}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q bias(%b) scale = 1.0 : (tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<4x2x8x16xf32>, tensor<2x2x8x8xf32>) -> (tensor<4x2x8x16xf32>, tensor<4x2x8xf32>)
  return
}

// -----

// tt.attention (C5): a window is not negative.
func.func @window(%q: tensor<1x2x8x16xf32>) {
  // expected-error @below {{'tt.attention' op expected window_left in [0, 2^30], but got -1}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q scale = 1.0 {window_left = -1 : i64} : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C5): softcap is positive.
func.func @softcap(%q: tensor<1x2x8x16xf32>) {
  // expected-error @below {{'tt.attention' op expected softcap to be positive and finite, but got 0.000000}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q scale = 1.0 {softcap = 0.0 : f64} : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C5): a prefix is at most 2^30.
func.func @prefix(%q: tensor<1x2x8x16xf32>) {
  // expected-error @below {{'tt.attention' op expected prefix in [0, 2^30], but got 1073741825}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q causal scale = 1.0 {prefix = 1073741825 : i64} : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C5): softcap is finite.
func.func @infinite(%q: tensor<1x2x8x16xf32>) {
  // expected-error @below {{'tt.attention' op expected softcap to be positive and finite, but got inf}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q scale = 1.0 {softcap = 0x7FF0000000000000 : f64} : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C5): block sizes are positive.
func.func @block(%q: tensor<1x2x8x16xf32>) {
  // expected-error @below {{'tt.attention' op expected block_k to be positive, but got 0}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q scale = 1.0 {block_k = 0 : i64} : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C4): segments are of one type.
func.func @segment_types(%q: tensor<1x2x8x16xf32>, %s: tensor<1x8xi32>, %t: tensor<1x8xi64>) {
  // expected-error @below {{'tt.attention' op expected segments [1, 8] and [1, 8] of one type, slopes and sinks [2], bias [1 or 1, 2 or 1, 8, 8]}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q segments(%s, %t) scale = 1.0 : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x8xi32>, tensor<1x8xi64>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C6): dropout_p is below 1.
func.func @dropout_p(%q: tensor<1x2x8x16xf32>, %key: tensor<2xi32>) {
  // expected-error @below {{'tt.attention' op expected dropout_p in [0, 1) together with a key and a site in [0, 2^32), but got 1.000000 with a key and site 0}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q key(%key) scale = 1.0 {dropout_p = 1.0 : f64, site = 0 : i64} : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<2xi32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C6): dropout needs a key.
func.func @dropout_key(%q: tensor<1x2x8x16xf32>) {
  // expected-error @below {{'tt.attention' op expected dropout_p in [0, 1) together with a key and a site in [0, 2^32), but got 0.100000 without a key and site 0}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q scale = 1.0 {dropout_p = 0.1 : f64, site = 0 : i64} : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C6): dropout needs a site.
func.func @dropout_site(%q: tensor<1x2x8x16xf32>, %key: tensor<2xi32>) {
  // expected-error @below {{'tt.attention' op expected dropout_p in [0, 1) together with a key and a site in [0, 2^32), but got 0.100000 with a key and no site}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q key(%key) scale = 1.0 {dropout_p = 0.1 : f64} : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<2xi32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C6): a site has 32 bits.
func.func @dropout_large_site(%q: tensor<1x2x8x16xf32>, %key: tensor<2xi32>) {
  // expected-error @below {{'tt.attention' op expected dropout_p in [0, 1) together with a key and a site in [0, 2^32), but got 0.100000 with a key and site 4294967296}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q key(%key) scale = 1.0 {dropout_p = 0.1 : f64, site = 4294967296 : i64} : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<2xi32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C6): a key needs dropout.
func.func @key_alone(%q: tensor<1x2x8x16xf32>, %key: tensor<2xi32>) {
  // expected-error @below {{'tt.attention' op expected dropout_p in [0, 1) together with a key and a site in [0, 2^32), but got 0.000000 with a key and no site}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q key(%key) scale = 1.0 : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<2xi32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C7): causal hides every later key.
func.func @causal_window_right(%q: tensor<1x2x8x16xf32>) {
  // expected-error @below {{'tt.attention' op expected no window_right, or 0, together with causal, which hides every later key, but got 2}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q causal scale = 1.0 {window_right = 2 : i64} : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C7): a prefix opens what something hides.
func.func @prefix_alone(%q: tensor<1x2x8x16xf32>) {
  // expected-error @below {{'tt.attention' op expected causal or a window together with prefix, which opens nothing without them}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q scale = 1.0 {prefix = 2 : i64} : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C7): a prefix is no longer than the keys.
func.func @prefix_too_long(%q: tensor<1x2x8x16xf32>) {
  // expected-error @below {{'tt.attention' op expected a prefix of at most the 8 keys, but got 9}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q causal scale = 1.0 {prefix = 9 : i64} : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// The result types are inferred.
func.func @lse_type(%q: tensor<1x2x8x16xf32>) {
  // expected-error @below {{'tt.attention' op inferred type(s) 'tensor<1x2x8x16xf32>', 'tensor<1x2x8xf32>' are incompatible with return type(s) of operation 'tensor<1x2x8x16xf32>', 'tensor<1x2x8xf64>'}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q scale = 1.0 : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf64>)
  return
}

// -----

// tt.attention (C5): softcap is finite in f32.
func.func @large_softcap(%q: tensor<1x2x8x16xf32>) {
  // expected-error @below {{'tt.attention' op expected softcap to be positive and finite, but got 1e+39, which 'f32' does not hold}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q scale = 1.0 {softcap = 1.0e39 : f64} : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C5): and not 0 there.
func.func @tiny_softcap(%q: tensor<1x2x8x16xf32>) {
  // expected-error @below {{'tt.attention' op expected softcap to be positive and finite, but got 1e-60, which 'f32' does not hold}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q scale = 1.0 {softcap = 1.0e-60 : f64} : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C5): scale is finite in f32.
func.func @large_scale(%q: tensor<1x2x8x16xf32>) {
  // expected-error @below {{'tt.attention' op expected a finite scale, but got 1e+39, which 'f32' does not hold}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q scale = 1.0e39 : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}

// -----

// tt.attention (C5): scale is a number.
func.func @nan_scale(%q: tensor<1x2x8x16xf32>) {
  // expected-error @below {{'tt.attention' op expected a finite scale, but got nan}}
  // expected-error @below {{'tt.attention' op failed to infer returned types}}
  %o, %lse = tt.attention %q, %q, %q scale = 0x7FF8000000000000 : (tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>) -> (tensor<1x2x8x16xf32>, tensor<1x2x8xf32>)
  return
}
