// RUN: tt-opt %s --canonicalize | FileCheck %s

// x + -0.0 has the bits of x for every x.
// CHECK-LABEL: func.func @add_negative_zero
// CHECK-SAME:    (%[[X:.+]]: tensor<4xf32>)
// CHECK-NEXT:    return %[[X]]
func.func @add_negative_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = tt.constant dense<-0.0> : tensor<4xf32>
  %y = tt.add %x, %zero : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -0.0 + +0.0 is +0.0, so this one stays.
// CHECK-LABEL: func.func @add_positive_zero
// CHECK:         tt.add
func.func @add_positive_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = tt.constant dense<0.0> : tensor<4xf32>
  %y = tt.add %x, %zero : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @mul_one
// CHECK-SAME:    (%[[X:.+]]: tensor<4xf32>)
// CHECK-NEXT:    return %[[X]], %[[X]]
func.func @mul_one(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %one = tt.constant dense<1.0> : tensor<4xf32>
  %y = tt.mul %x, %one : tensor<4xf32>
  %z = tt.mul %one, %x : tensor<4xf32>
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// 0 * NaN is NaN.
// CHECK-LABEL: func.func @mul_zero
// CHECK:         tt.mul
func.func @mul_zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = tt.constant dense<0.0> : tensor<4xf32>
  %y = tt.mul %x, %zero : tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func.func @neg_neg
// CHECK-SAME:    (%[[X:.+]]: tensor<4xf32>)
// CHECK-NEXT:    return %[[X]]
func.func @neg_neg(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.neg %x : tensor<4xf32>
  %z = tt.neg %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// CHECK-LABEL: func.func @cast_to_itself
// CHECK-SAME:    (%[[X:.+]]: tensor<4xf32>)
// CHECK-NEXT:    return %[[X]]
func.func @cast_to_itself(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.cast %x : tensor<4xf32> to tensor<4xf32>
  return %y : tensor<4xf32>
}

// Down and up again loses bits, so both stay.
// CHECK-LABEL: func.func @cast_down_up
// CHECK-COUNT-2: tt.cast
func.func @cast_down_up(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.cast %x : tensor<4xf32> to tensor<4xbf16>
  %z = tt.cast %y : tensor<4xbf16> to tensor<4xf32>
  return %z : tensor<4xf32>
}

// Sums are not reordered: a change of rounding.
// CHECK-LABEL: func.func @no_reassociation
// CHECK-COUNT-2: tt.add
func.func @no_reassociation(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = tt.constant dense<1.0e8> : tensor<4xf32>
  %y = tt.add %x, %c : tensor<4xf32>
  %z = tt.sub %y, %c : tensor<4xf32>
  %w = tt.add %z, %c : tensor<4xf32>
  return %w : tensor<4xf32>
}
