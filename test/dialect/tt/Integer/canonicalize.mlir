// RUN: tt-opt %s --canonicalize | FileCheck %s

// A causal mask over 4 positions with a window of 2 keys, from iotas alone.
// CHECK-LABEL: func.func @mask
// CHECK-NEXT:    %[[C:.+]] = tt.constant dense<
// CHECK-SAME:      [true, false, false, false], [true, true, false, false],
// CHECK-SAME:      [false, true, true, false], [false, false, true, true]
// CHECK-SAME:    > : tensor<4x4xi1>
// CHECK-NEXT:    return %[[C]]
func.func @mask() -> tensor<4x4xi1> {
  %row = tt.iota dim = 0 : tensor<4x4xi32>
  %key = tt.iota dim = 0 : tensor<4xi32>
  %column = tt.broadcast %key dims = [1] : tensor<4xi32> -> tensor<4x4xi32>
  %back = tt.sub %row, %column : tensor<4x4xi32>
  %zero = tt.constant dense<0> : tensor<4x4xi32>
  %two = tt.constant dense<2> : tensor<4x4xi32>
  %causal = tt.compare ge %back, %zero : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %far = tt.compare ge %back, %two : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %near = tt.not %far : tensor<4x4xi1>
  %mask = tt.and %causal, %near : tensor<4x4xi1>
  return %mask : tensor<4x4xi1>
}

// Rounds down, the rest has the divisor's sign; nothing is divided by 0.
// CHECK-LABEL: func.func @division
// CHECK-DAG:     %[[Q:.+]] = tt.constant dense<[2, -3, -3, 2, 0, -2147483648]> : tensor<6xi32>
// CHECK-DAG:     %[[R:.+]] = tt.constant dense<[1, 2, -2, -1, 7, 0]> : tensor<6xi32>
// CHECK:         return %[[Q]], %[[R]]
func.func @division() -> (tensor<6xi32>, tensor<6xi32>) {
  %a = tt.constant dense<[7, -7, 7, -7, 7, -2147483648]> : tensor<6xi32>
  %b = tt.constant dense<[3, 3, -3, -3, 0, -1]> : tensor<6xi32>
  %q = tt.floor_div %a, %b : tensor<6xi32>
  %r = tt.rem %a, %b : tensor<6xi32>
  return %q, %r : tensor<6xi32>, tensor<6xi32>
}

// Through slices and transposes; a select takes from both sides.
// CHECK-LABEL: func.func @moved
// CHECK-NEXT:    %[[C:.+]] = tt.constant dense<{{\[}}[1, 12], [2, 13]]> : tensor<2x2xi64>
// CHECK-NEXT:    return %[[C]]
func.func @moved() -> tensor<2x2xi64> {
  %i = tt.iota dim = 1 : tensor<2x4xi64>
  %s = tt.slice %i dim = 1 start = 1 size = 2 : (tensor<2x4xi64>) -> tensor<2x2xi64>
  %t = tt.transpose %s permutation = [1, 0] : (tensor<2x2xi64>) -> tensor<2x2xi64>
  %ten = tt.constant dense<11> : tensor<2x2xi64>
  %u = tt.add %t, %ten : tensor<2x2xi64>
  %j = tt.iota dim = 1 : tensor<2x2xi64>
  %one = tt.constant dense<1> : tensor<2x2xi64>
  %c = tt.compare lt %j, %one : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2x2xi1>
  %r = tt.select %c, %t, %u : tensor<2x2xi1>, tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}

// CHECK-LABEL: func.func @neutral
// CHECK-SAME:    (%[[P:.+]]: tensor<4xi32>, %[[M:.+]]: tensor<4xi1>)
// CHECK-NEXT:    return %[[P]], %[[P]], %[[P]], %[[M]], %[[M]], %[[M]]
func.func @neutral(%p: tensor<4xi32>, %m: tensor<4xi1>)
    -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %zero = tt.constant dense<0> : tensor<4xi32>
  %one = tt.constant dense<1> : tensor<4xi32>
  %true = tt.constant dense<true> : tensor<4xi1>
  %0 = tt.add %p, %zero : tensor<4xi32>
  %1 = tt.mul %p, %one : tensor<4xi32>
  %2 = tt.floor_div %p, %one : tensor<4xi32>
  %3 = tt.and %m, %true : tensor<4xi1>
  %n = tt.not %m : tensor<4xi1>
  %4 = tt.not %n : tensor<4xi1>
  %5 = tt.select %true, %m, %n : tensor<4xi1>, tensor<4xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}

// 4096 elements are folded, more are computed at run time.
// CHECK-LABEL: func.func @bound
// CHECK:         tt.constant dense<{{.+}}> : tensor<4096xi32>
// CHECK:         tt.add %{{.+}}, %{{.+}} : tensor<4097xi32>
func.func @bound() -> (tensor<4096xi32>, tensor<4097xi32>) {
  %a = tt.iota dim = 0 : tensor<4096xi32>
  %b = tt.iota dim = 0 : tensor<4097xi32>
  %0 = tt.add %a, %a : tensor<4096xi32>
  %1 = tt.add %b, %b : tensor<4097xi32>
  return %0, %1 : tensor<4096xi32>, tensor<4097xi32>
}

// The exponent 1 is nothing.
// CHECK-LABEL: func.func @power_one
// CHECK-SAME:    (%[[X:.+]]: tensor<4xf32>)
// CHECK-NEXT:    return %[[X]]
func.func @power_one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = tt.pow %x exponent = 1.0 : tensor<4xf32>
  return %y : tensor<4xf32>
}
