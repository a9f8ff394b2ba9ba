module {
  func.func @f(%arg0: tensor<1x2x32x16xf32>, %arg1: tensor<1x2x48x16xf32>, %arg2: tensor<1x2x48x16xf32>) -> (tensor<1x2x32x16xf32>, tensor<1x2x32xf32>) {
    %0 = tt.constant dense<0xFF800000> : tensor<8x24xf32>
    %1 = tt.constant dense<2.500000e-01> : tensor<8x24xf32>
    %2 = tt.constant dense<0.000000e+00> : tensor<8x16xf32>
    %3 = tt.constant dense<0.000000e+00> : tensor<8xf32>
    %4 = tt.constant dense<0xFF800000> : tensor<8xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c47 = arith.constant 47 : index
    %c24 = arith.constant 24 : index
    %c17 = arith.constant 17 : index
    %c16 = arith.constant 16 : index
    %5 = tensor.empty() : tensor<1x2x32x16xf32>
    %6 = tensor.empty() : tensor<1x2x32xf32>
    %7:2 = scf.for %arg3 = %c0 to %c2 step %c1 iter_args(%arg4 = %5, %arg5 = %6) -> (tensor<1x2x32x16xf32>, tensor<1x2x32xf32>) {
      %8:2 = scf.for %arg6 = %c0 to %c4 step %c1 iter_args(%arg7 = %arg4, %arg8 = %arg5) -> (tensor<1x2x32x16xf32>, tensor<1x2x32xf32>) {
        %9 = arith.muli %arg6, %c8 : index
        %extracted_slice = tensor.extract_slice %arg0[0, %arg3, %9, 0] [1, 1, 8, 16] [1, 1, 1, 1] : tensor<1x2x32x16xf32> to tensor<8x16xf32>
        %10 = arith.addi %9, %c47 : index
        %11 = arith.divui %10, %c24 : index
        %12 = arith.minsi %11, %c2 : index
        %13 = arith.addi %9, %c17 : index
        %14 = arith.divui %13, %c24 : index
        %15 = arith.minsi %14, %c2 : index
        %16:3 = scf.for %arg9 = %c0 to %15 step %c1 iter_args(%arg10 = %4, %arg11 = %3, %arg12 = %2) -> (tensor<8xf32>, tensor<8xf32>, tensor<8x16xf32>) {
          %22 = arith.muli %arg9, %c24 : index
          %extracted_slice_1 = tensor.extract_slice %arg1[0, %arg3, %22, 0] [1, 1, 24, 16] [1, 1, 1, 1] : tensor<1x2x48x16xf32> to tensor<24x16xf32>
          %23 = tt.matmul %extracted_slice, %extracted_slice_1 transpose_rhs : (tensor<8x16xf32>, tensor<24x16xf32>) -> tensor<8x24xf32>
          %24 = tt.mul %23, %1 : tensor<8x24xf32>
          %output, %index = tt.max %24 dim = 1 : (tensor<8x24xf32>) -> (tensor<8xf32>, tensor<8xi32>)
          %25 = tt.maximum %arg10, %output : tensor<8xf32>
          %26 = tt.broadcast %25 dims = [0] : tensor<8xf32> -> tensor<8x24xf32>
          %27 = tt.sub %24, %26 : tensor<8x24xf32>
          %28 = tt.exp %27 : tensor<8x24xf32>
          %29 = tt.sub %arg10, %25 : tensor<8xf32>
          %30 = tt.exp %29 : tensor<8xf32>
          %31 = tt.mul %arg11, %30 : tensor<8xf32>
          %32 = tt.sum %28 dims = [1] : (tensor<8x24xf32>) -> tensor<8xf32>
          %33 = tt.add %31, %32 : tensor<8xf32>
          %extracted_slice_2 = tensor.extract_slice %arg2[0, %arg3, %22, 0] [1, 1, 24, 16] [1, 1, 1, 1] : tensor<1x2x48x16xf32> to tensor<24x16xf32>
          %34 = tt.broadcast %30 dims = [0] : tensor<8xf32> -> tensor<8x16xf32>
          %35 = tt.mul %arg12, %34 : tensor<8x16xf32>
          %36 = tt.matmul %28, %extracted_slice_2 : (tensor<8x24xf32>, tensor<24x16xf32>) -> tensor<8x16xf32>
          %37 = tt.add %35, %36 : tensor<8x16xf32>
          scf.yield %25, %33, %37 : tensor<8xf32>, tensor<8xf32>, tensor<8x16xf32>
        }
        %17:3 = scf.for %arg9 = %15 to %12 step %c1 iter_args(%arg10 = %16#0, %arg11 = %16#1, %arg12 = %16#2) -> (tensor<8xf32>, tensor<8xf32>, tensor<8x16xf32>) {
          %22 = arith.muli %arg9, %c24 : index
          %extracted_slice_1 = tensor.extract_slice %arg1[0, %arg3, %22, 0] [1, 1, 24, 16] [1, 1, 1, 1] : tensor<1x2x48x16xf32> to tensor<24x16xf32>
          %23 = tt.matmul %extracted_slice, %extracted_slice_1 transpose_rhs : (tensor<8x16xf32>, tensor<24x16xf32>) -> tensor<8x24xf32>
          %24 = tt.mul %23, %1 : tensor<8x24xf32>
          %25 = arith.addi %9, %c16 : index
          %26 = arith.subi %25, %22 : index
          %27 = arith.index_cast %26 : index to i32
          %splat = tensor.splat %27 : tensor<8xi32>
          %28 = tt.iota dim = 0 : tensor<8xi32>
          %29 = arith.addi %28, %splat : tensor<8xi32>
          %30 = tt.iota dim = 1 : tensor<8x24xi32>
          %31 = tt.broadcast %29 dims = [0] : tensor<8xi32> -> tensor<8x24xi32>
          %32 = tt.compare le %30, %31 : (tensor<8x24xi32>, tensor<8x24xi32>) -> tensor<8x24xi1>
          %33 = tt.select %32, %24, %0 : tensor<8x24xi1>, tensor<8x24xf32>
          %output, %index = tt.max %33 dim = 1 : (tensor<8x24xf32>) -> (tensor<8xf32>, tensor<8xi32>)
          %34 = tt.maximum %arg10, %output : tensor<8xf32>
          %35 = tt.broadcast %34 dims = [0] : tensor<8xf32> -> tensor<8x24xf32>
          %36 = tt.sub %33, %35 : tensor<8x24xf32>
          %37 = tt.exp %36 : tensor<8x24xf32>
          %38 = tt.sub %arg10, %34 : tensor<8xf32>
          %39 = tt.exp %38 : tensor<8xf32>
          %40 = tt.mul %arg11, %39 : tensor<8xf32>
          %41 = tt.sum %37 dims = [1] : (tensor<8x24xf32>) -> tensor<8xf32>
          %42 = tt.add %40, %41 : tensor<8xf32>
          %extracted_slice_2 = tensor.extract_slice %arg2[0, %arg3, %22, 0] [1, 1, 24, 16] [1, 1, 1, 1] : tensor<1x2x48x16xf32> to tensor<24x16xf32>
          %43 = tt.broadcast %39 dims = [0] : tensor<8xf32> -> tensor<8x16xf32>
          %44 = tt.mul %arg12, %43 : tensor<8x16xf32>
          %45 = tt.matmul %37, %extracted_slice_2 : (tensor<8x24xf32>, tensor<24x16xf32>) -> tensor<8x16xf32>
          %46 = tt.add %44, %45 : tensor<8x16xf32>
          scf.yield %34, %42, %46 : tensor<8xf32>, tensor<8xf32>, tensor<8x16xf32>
        }
        %18 = tt.broadcast %17#1 dims = [0] : tensor<8xf32> -> tensor<8x16xf32>
        %19 = tt.div %17#2, %18 : tensor<8x16xf32>
        %20 = tt.log %17#1 : tensor<8xf32>
        %21 = tt.add %20, %17#0 : tensor<8xf32>
        %inserted_slice = tensor.insert_slice %19 into %arg7[0, %arg3, %9, 0] [1, 1, 8, 16] [1, 1, 1, 1] : tensor<8x16xf32> into tensor<1x2x32x16xf32>
        %inserted_slice_0 = tensor.insert_slice %21 into %arg8[0, %arg3, %9] [1, 1, 8] [1, 1, 1] : tensor<8xf32> into tensor<1x2x32xf32>
        scf.yield %inserted_slice, %inserted_slice_0 : tensor<1x2x32x16xf32>, tensor<1x2x32xf32>
      }
      scf.yield %8#0, %8#1 : tensor<1x2x32x16xf32>, tensor<1x2x32xf32>
    }
    return %7#0, %7#1 : tensor<1x2x32x16xf32>, tensor<1x2x32xf32>
  }
}

