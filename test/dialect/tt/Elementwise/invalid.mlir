// RUN: tt-opt %s --split-input-file --verify-diagnostics

// Operands and result have one type.
func.func @binary(%x: tensor<4xf32>, %y: tensor<4xbf16>) {
  // expected-error @below {{'tt.add' op requires the same type for all operands and results}}
  %0 = "tt.add"(%x, %y) : (tensor<4xf32>, tensor<4xbf16>) -> tensor<4xf32>
  return
}

// -----

// No implicit broadcasting.
func.func @broadcasting(%x: tensor<4x8xf32>, %y: tensor<8xf32>) {
  // expected-error @below {{'tt.mul' op all non-scalar operands/results must have the same shape and base type}}
  %0 = "tt.mul"(%x, %y) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @unary(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.exp' op requires the same type for all operands and results}}
  %0 = "tt.exp"(%x) : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

// Integers have a width for positions and counts.
func.func @integers(%x: tensor<4xi8>) {
  // expected-error @below {{'tt.add' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or bfloat16 type or 16-bit float or 64-bit signless integer or 32-bit signless integer values of at most 2^47 bytes, but got 'tensor<4xi8>'}}
  %0 = tt.add %x, %x : tensor<4xi8>
  return
}

// -----

// The quotient of integers is tt.floor_div.
func.func @quotient(%x: tensor<4xi32>) {
  // expected-error @below {{'tt.div' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or bfloat16 type or 16-bit float values of at most 2^47 bytes, but got 'tensor<4xi32>'}}
  %0 = tt.div %x, %x : tensor<4xi32>
  return
}

// -----

// Shapes are static.
func.func @dynamic(%x: tensor<?xf32>) {
  // expected-error @below {{'tt.neg' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or bfloat16 type or 16-bit float values of at most 2^47 bytes, but got 'tensor<?xf32>'}}
  %0 = tt.neg %x : tensor<?xf32>
  return
}

// -----

// Ranks are known.
func.func @unranked(%x: tensor<*xf32>) {
  // expected-error @below {{custom op 'tt.neg' invalid kind of type specified: expected builtin.tensor, but found 'tensor<*xf32>'}}
  %0 = tt.neg %x : tensor<*xf32>
  return
}

// -----

// tt.compare: operands have one type.
func.func @compare(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error @below {{'tt.compare' op requires the same element type for all operands}}
  %0 = tt.compare lt %x, %y : (tensor<4xf32>, tensor<4xf64>) -> tensor<4xi1>
  return
}

// -----

// tt.select: condition has the shape of the sides.
func.func @select(%c: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error @below {{'tt.select' op all non-scalar operands/results must have the same shape and base type}}
  %0 = tt.select %c, %x, %x : tensor<i1>, tensor<4xf32>
  return
}

// -----

// tt.cast: operand and result have one shape.
func.func @cast(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.cast' op all non-scalar operands/results must have the same shape and base type}}
  %0 = tt.cast %x : tensor<4xf32> to tensor<5xbf16>
  return
}

// -----

func.func @gelu(%x: tensor<4xf32>) {
  // expected-error @below {{custom op 'tt.gelu' expected string or keyword containing one of the following enum values for attribute 'approx' [erf, tanh]}}
  %0 = tt.gelu sigmoid %x : tensor<4xf32>
  return
}

// -----

// A dimension over 2^40.
func.func @dimension(%x: tensor<1099511627777xi1>) {
  // expected-error @below {{'tt.cast' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or bfloat16 type or 16-bit float or 64-bit signless integer or 32-bit signless integer or 8-bit signless integer or 1-bit signless integer values of at most 2^47 bytes, but got 'tensor<1099511627777xi1>'}}
  %0 = tt.cast %x : tensor<1099511627777xi1> to tensor<1099511627777xi8>
  return
}

// -----

// A tensor over 2^47 bytes.
func.func @bytes(%x: tensor<1048576x33554433xf32>) {
  // expected-error @below {{'tt.neg' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or bfloat16 type or 16-bit float values of at most 2^47 bytes, but got 'tensor<1048576x33554433xf32>'}}
  %0 = tt.neg %x : tensor<1048576x33554433xf32>
  return
}

// -----

// A number of elements that wraps to 0.
func.func @wraps(%x: tensor<1099511627776x1099511627776xf32>) {
  // expected-error @below {{'tt.neg' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or bfloat16 type or 16-bit float values of at most 2^47 bytes, but got 'tensor<1099511627776x1099511627776xf32>'}}
  %0 = tt.neg %x : tensor<1099511627776x1099511627776xf32>
  return
}

// -----

// A dimension of 0 does not hide the others.
func.func @empty(%x: tensor<0x1099511627776x1099511627776xf32>) {
  // expected-error @below {{'tt.neg' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or bfloat16 type or 16-bit float values of at most 2^47 bytes, but got 'tensor<0x1099511627776x1099511627776xf32>'}}
  %0 = tt.neg %x : tensor<0x1099511627776x1099511627776xf32>
  return
}

// -----

// tt.pow (C1): a finite exponent.
func.func @pow_exponent(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.pow' op expected a finite exponent, but got inf}}
  %0 = tt.pow %x exponent = 0x7FF0000000000000 : tensor<4xf32>
  return
}

// -----

// tt.clamp (C1): a range.
func.func @clamp_range(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.clamp' op expected low <= high, but got 1.000000 and -1.000000}}
  %0 = tt.clamp %x low = 1.0 high = -1.0 : tensor<4xf32>
  return
}

// -----

// tt.clamp (C1): bounds of its type.
func.func @clamp_of_f64(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.clamp' op expected bounds that 'f32' holds, or infinite ones, but got }}
  %0 = tt.clamp %x low = 1.0e300 high = 1.0e301 : tensor<4xf32>
  return
}

// -----

// tt.clamp (C1): no NaN.
func.func @clamp_nan(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.clamp' op expected low <= high, but got nan and 1.000000}}
  %0 = tt.clamp %x low = 0x7FF8000000000000 high = 1.0 : tensor<4xf32>
  return
}

// -----

// tt.pow (C1): the exponent is finite in f32.
func.func @pow_large_exponent(%x: tensor<4xf32>) {
  // expected-error @below {{'tt.pow' op expected a finite exponent, but got 1e+39, which 'f32' does not hold}}
  %0 = tt.pow %x exponent = 1.0e39 : tensor<4xf32>
  return
}
