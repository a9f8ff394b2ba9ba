// RUN: tt-opt %s --tt-tile-attention --split-input-file | FileCheck %s \
// RUN:   --implicit-check-not='tensor<{{([0-9]+x)*(24x([0-9]+x)*40|40x([0-9]+x)*24)x}}'
// RUN: tt-opt %s --tt-tile-attention --split-input-file | tt-opt --split-input-file

// T = 24 queries in blocks of 8, S = 40 keys in blocks of 16 and a rest of 8.
// No tensor has both lengths: the implicit check above.
// CHECK-LABEL: func.func @causal(
// CHECK-SAME:    %[[Q:.+]]: tensor<1x4x24x6xf32>, %[[K:.+]]: tensor<1x2x40x6xf32>, %[[V:.+]]: tensor<1x2x40x6xf32>)
// CHECK-NOT:     tt.attention
// CHECK:         scf.for %[[B:.+]] = %c0 to %c1 step
// CHECK:         scf.for %[[H:.+]] = %c0 to %c4 step
// Query head h reads key head h / 2.
// CHECK:         %[[HK:.+]] = arith.divui %[[H]], %c2
// CHECK:         scf.for %[[I:.+]] = %c0 to %c3 step
// CHECK:         %[[QS:.+]] = arith.muli %[[I]], %c8
// CHECK:         %[[QT:.+]] = tensor.extract_slice %[[Q]][%[[B]], %[[H]], %[[QS]], 0] [1, 1, 8, 6] {{.*}} to tensor<8x6xf32>
// Blocks seen: min((8 i + 8 + 16 + 15) / 16, 3); by all queries: min((8 i + 17) / 16, 2).
// CHECK:         arith.muli %[[I]], %c8
// CHECK-NEXT:    arith.addi %{{.+}}, %c39
// CHECK-NEXT:    arith.divui %{{.+}}, %c16
// CHECK-NEXT:    %[[END:.+]] = arith.minsi %{{.+}}, %c3
// CHECK:         arith.addi %{{.+}}, %c17
// CHECK-NEXT:    arith.divui %{{.+}}, %c16
// CHECK-NEXT:    %[[FULL:.+]] = arith.minsi %{{.+}}, %c2
// Full tiles: no mask.
// CHECK:         scf.for %[[J:.+]] = %c0 to %[[FULL]] step %{{.+}} iter_args(%[[M:.+]] = %{{.+}}, %[[L:.+]] = %{{.+}}, %[[SUM:.+]] = %{{.+}}) -> (tensor<8xf32>, tensor<8xf32>, tensor<8x6xf32>)
// CHECK:           %[[KS:.+]] = arith.muli %[[J]], %c16
// CHECK:           %[[KT:.+]] = tensor.extract_slice %[[K]][%[[B]], %[[HK]], %[[KS]], 0] [1, 1, 16, 6]
// CHECK:           %[[QK:.+]] = tt.matmul %[[QT]], %[[KT]] transpose_rhs
// CHECK-NOT:       tt.select
// CHECK:           %[[NEWM:.+]] = tt.maximum %[[M]],
// CHECK:           %[[P:.+]] = tt.exp %{{.+}} : tensor<8x16xf32>
// CHECK:           tt.sub %[[M]], %[[NEWM]]
// CHECK:           %[[VT:.+]] = tensor.extract_slice %[[V]]
// CHECK:           tt.matmul %[[P]], %[[VT]]
// CHECK:           scf.yield %[[NEWM]],
// Masked tiles, then the rest of 8 keys.
// CHECK:         %[[WHOLE:.+]] = arith.minsi %[[END]], %c2
// CHECK:         scf.for %{{.+}} = %[[FULL]] to %[[WHOLE]] step
// CHECK:           tt.compare le
// CHECK:           tt.select
// CHECK:         scf.for %{{.+}} = %c2 to %[[END]] step
// CHECK:           tensor.extract_slice %[[K]]{{.*}} to tensor<8x6xf32>
// CHECK:           tt.select
// CHECK-NOT:     scf.for
// CHECK:         tt.log
// CHECK:         tensor.insert_slice %{{.+}} into %{{.+}}[%[[B]], %[[H]], %[[QS]], 0] [1, 1, 8, 6]
// CHECK:         tensor.insert_slice %{{.+}} into %{{.+}}[%[[B]], %[[H]], %[[QS]]] [1, 1, 8]
// CHECK:         return
func.func @causal(%q: tensor<1x4x24x6xf32>, %k: tensor<1x2x40x6xf32>, %v: tensor<1x2x40x6xf32>)
    -> (tensor<1x4x24x6xf32>, tensor<1x4x24xf32>) {
  %o, %lse = tt.attention %q, %k, %v causal scale = 0.5 {block_q = 8 : i64, block_k = 16 : i64}
      : (tensor<1x4x24x6xf32>, tensor<1x2x40x6xf32>, tensor<1x2x40x6xf32>)
     -> (tensor<1x4x24x6xf32>, tensor<1x4x24xf32>)
  return %o, %lse : tensor<1x4x24x6xf32>, tensor<1x4x24xf32>
}

// -----

// Five products per tile; dk and dv are carried whole, dq by query block.
// CHECK-LABEL: func.func @adjoint(
// CHECK:         scf.for {{.*}} -> (tensor<1x4x24x6xf32>, tensor<1x2x40x6xf32>, tensor<1x2x40x6xf32>)
// CHECK:         scf.for
// CHECK:         scf.for
// CHECK:         %[[Q:.+]] = tensor.extract_slice %arg0
// CHECK:         %[[D:.+]] = tensor.extract_slice %arg5
// CHECK:         %[[LSE:.+]] = tensor.extract_slice %arg4
// CHECK:         %[[OD:.+]] = tt.mul %[[D]],
// CHECK:         %[[DELTA:.+]] = tt.sum %[[OD]] dims = [1]
// CHECK:         scf.for {{.*}} iter_args(%[[DQ:.+]] = %{{.+}}, %[[DK:.+]] = %{{.+}}, %[[DV:.+]] = %{{.+}}) -> (tensor<8x6xf32>, tensor<1x2x40x6xf32>, tensor<1x2x40x6xf32>)
// CHECK:           %[[K:.+]] = tensor.extract_slice %arg1
// CHECK:           tt.matmul %[[Q]], %[[K]] transpose_rhs
// CHECK:           tt.broadcast %[[LSE]]
// CHECK:           %[[P:.+]] = tt.exp
// CHECK:           tt.matmul %[[P]], %[[D]] transpose_lhs
// CHECK:           %[[V:.+]] = tensor.extract_slice %arg2
// CHECK:           tt.matmul %[[D]], %[[V]] transpose_rhs
// CHECK:           tt.broadcast %[[DELTA]]
// CHECK:           tt.matmul %[[DS:.+]], %[[Q]] transpose_lhs
// CHECK:           tt.matmul %[[DS]], %[[K]] :
// CHECK:           tensor.insert_slice %{{.+}} into %[[DK]]
// CHECK:           tensor.insert_slice %{{.+}} into %[[DV]]
// The rest of 8 keys, always.
// CHECK:         scf.for %{{.+}} = %c2 to %c3
// CHECK-COUNT-5:   tt.matmul
// CHECK-NOT:     tt.matmul
// CHECK:         return
func.func @adjoint(%q: tensor<1x4x24x6xf32>, %k: tensor<1x2x40x6xf32>, %v: tensor<1x2x40x6xf32>,
                   %o: tensor<1x4x24x6xf32>, %lse: tensor<1x4x24xf32>, %d: tensor<1x4x24x6xf32>)
    -> (tensor<1x4x24x6xf32>, tensor<1x2x40x6xf32>, tensor<1x2x40x6xf32>) {
  %dq, %dk, %dv = tt.attention_bwd %q, %k, %v, %o, %lse, %d scale = 0.5 {block_q = 8 : i64, block_k = 16 : i64}
      : (tensor<1x4x24x6xf32>, tensor<1x2x40x6xf32>, tensor<1x2x40x6xf32>,
         tensor<1x4x24x6xf32>, tensor<1x4x24xf32>, tensor<1x4x24x6xf32>)
     -> (tensor<1x4x24x6xf32>, tensor<1x2x40x6xf32>, tensor<1x2x40x6xf32>)
  return %dq, %dk, %dv : tensor<1x4x24x6xf32>, tensor<1x2x40x6xf32>, tensor<1x2x40x6xf32>
}

// -----

// The last block of 4 queries stands after the loop, with constant bounds.
// CHECK-LABEL: func.func @rest_of_queries(
// CHECK:         scf.for %{{.+}} = %c0 to %c2
// CHECK:         tensor.extract_slice %arg0[%{{.+}}, %{{.+}}, 16, 0] [1, 1, 4, 6]
// CHECK:         scf.for
// CHECK:         tensor.insert_slice {{.*}}, 16, 0] [1, 1, 4, 6]
func.func @rest_of_queries(%q: tensor<1x1x20x6xf32>) -> tensor<1x1x20x6xf32> {
  %o, %lse = tt.attention %q, %q, %q causal scale = 0.5 {block_q = 8 : i64, block_k = 5 : i64}
      : (tensor<1x1x20x6xf32>, tensor<1x1x20x6xf32>, tensor<1x1x20x6xf32>)
     -> (tensor<1x1x20x6xf32>, tensor<1x1x20xf32>)
  return %o : tensor<1x1x20x6xf32>
}

// -----

// More queries than keys: rows without a key are guarded.
// CHECK-LABEL: func.func @dead_rows(
// CHECK:         tt.compare le
// CHECK:         tt.compare eq
// CHECK:         tt.compare eq
// CHECK:         tt.div
func.func @dead_rows(%q: tensor<1x1x20x6xf32>, %k: tensor<1x1x8x6xf32>) -> tensor<1x1x20x6xf32> {
  %o, %lse = tt.attention %q, %k, %k causal scale = 0.5 {block_q = 10 : i64, block_k = 8 : i64}
      : (tensor<1x1x20x6xf32>, tensor<1x1x8x6xf32>, tensor<1x1x8x6xf32>)
     -> (tensor<1x1x20x6xf32>, tensor<1x1x20xf32>)
  return %o : tensor<1x1x20x6xf32>
}

// -----

// Sums of narrow floats are f32; the result is narrowed once.
// CHECK-LABEL: func.func @bf16(
// CHECK:         tt.cast %{{.+}} : tensor<8x6xbf16> to tensor<8x6xf32>
// CHECK:         tt.matmul %{{.+}} -> tensor<8x4xf32>
// CHECK:         tt.cast %{{.+}} : tensor<8x6xf32> to tensor<8x6xbf16>
// CHECK:         tensor.insert_slice
func.func @bf16(%q: tensor<1x1x16x6xbf16>) -> tensor<1x1x16x6xbf16> {
  %o, %lse = tt.attention %q, %q, %q scale = 0.5 {block_q = 8 : i64, block_k = 4 : i64}
      : (tensor<1x1x16x6xbf16>, tensor<1x1x16x6xbf16>, tensor<1x1x16x6xbf16>)
     -> (tensor<1x1x16x6xbf16>, tensor<1x1x16xf32>)
  return %o : tensor<1x1x16x6xbf16>
}
