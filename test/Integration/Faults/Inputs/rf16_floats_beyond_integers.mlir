// A float that an integer type does not hold goes to the nearest end of its range, NaN to
// 0; to i1 what is not 0 is 1. A bare conversion has other bits on each vector level.
// input: 300 -129 128 1e6 nan 2.9 -2.9 0.5 inf -inf 0 -1e30
// result 0: 127 -128 127 127 0 2 -2 0 127 -128 0 -128
// result 1: 300 -129 128 1000000 0 2 -2 0 2147483647 -2147483648 0 -2147483648
// result 2: 1 1 1 1 1 1 1 1 1 1 0 1
// result 3: 0 1 0 0 0 0 0 0 1 0 0 0
func.func @f(%x: tensor<12xf32>) -> (tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>) {
  %a = tt.cast %x : tensor<12xf32> to tensor<12xi8>
  %b = tt.cast %x : tensor<12xf32> to tensor<12xi32>
  %c = tt.cast %x : tensor<12xf32> to tensor<12xi1>
  %seven = tt.constant dense<[2, 3, 0, 256, 0, 0, 0, 0, 2, 0, 0, 0]> : tensor<12xi32>
  %one = tt.constant dense<[0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]> : tensor<12xi32>
  %e = tt.mul %seven, %one : tensor<12xi32>
  %d = tt.cast %e : tensor<12xi32> to tensor<12xi1>
  %fa = tt.cast %a : tensor<12xi8> to tensor<12xf32>
  %fb = tt.cast %b : tensor<12xi32> to tensor<12xf32>
  %fc = tt.cast %c : tensor<12xi1> to tensor<12xf32>
  %fd = tt.cast %d : tensor<12xi1> to tensor<12xf32>
  return %fa, %fb, %fc, %fd : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
}
