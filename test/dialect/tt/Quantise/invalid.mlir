// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.fake_quant (C1): a scale.
func.func @scale(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.fake_quant' op expected a positive, finite scale, but got 0.000000}}
  %0 = tt.fake_quant %x scale = 0.0 zero_point = 0 low = -8 high = 7 : tensor<4x8xf32>
  return
}

// -----

// tt.fake_quant (C1): a scale of its type.
func.func @scale_of_f64(%x: tensor<4x8xf32>) {
  // expected-error @below {{which 'f32' does not hold}}
  %0 = tt.fake_quant %x scale = 1.0e60 zero_point = 0 low = -8 high = 7 : tensor<4x8xf32>
  return
}

// -----

// tt.fake_quant (C1): one that is 0 in its type.
func.func @scale_below_f32(%x: tensor<4x8xf32>) {
  // expected-error @below {{which 'f32' does not hold}}
  %0 = tt.fake_quant %x scale = 1.0e-60 zero_point = 0 low = -8 high = 7 : tensor<4x8xf32>
  return
}

// -----

// tt.fake_quant (C2): a range around the zero point.
func.func @range(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.fake_quant' op expected low <= zero_point <= high, but got 0, 8, 7}}
  %0 = tt.fake_quant %x scale = 0.1 zero_point = 8 low = 0 high = 7 : tensor<4x8xf32>
  return
}

// -----

// tt.fake_quant (C3): levels that f32 holds.
func.func @levels(%x: tensor<4x8xf32>) {
  // expected-error @below {{'tt.fake_quant' op expected levels in [-2^24, 2^24], but got 0 to 16777217}}
  %0 = tt.fake_quant %x scale = 0.1 zero_point = 0 low = 0 high = 16777217 : tensor<4x8xf32>
  return
}

// -----

// tt.dequantise (C1): a scale.
func.func @dequantise_scale(%q: tensor<4xi8>) {
  // expected-error @below {{'tt.dequantise' op expected a positive, finite scale, but got -1.000000}}
  %0 = tt.dequantise %q scale = -1.0 zero_point = 0 : tensor<4xi8> -> tensor<4xf32>
  return
}

// -----

// tt.dequantise (C2): a zero point of i8.
func.func @dequantise_zero(%q: tensor<4xi8>) {
  // expected-error @below {{'tt.dequantise' op expected zero_point in [-128, 127], but got 128}}
  %0 = tt.dequantise %q scale = 1.0 zero_point = 128 : tensor<4xi8> -> tensor<4xf32>
  return
}
