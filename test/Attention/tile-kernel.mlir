// RUN: tt-opt %s --tt-form-kernels --tt-tile-attention --tt-verify-form=form=kernels | FileCheck %s
// RUN: tt-opt %s --tt-form-kernels --tt-tile-attention --tt-build-step="entries=eval" --tt-verify-form=form=step | FileCheck %s --check-prefix=STEP

// A kernel keeps what its op said: the numerics, the schedule, and which of its
// operands (arguments, then results) is what.
// CHECK:       tt.kernel @attention_0(
// CHECK-SAME:    attributes {anchor = "attention", numerics = {block_k = 16 : i64, causal, scale = 5.000000e-01 : f64},
// CHECK-SAME:    schedule = {block_q = 64 : i64},
// CHECK-SAME:    tt.roles = {k = 1 : i64, lse = 4 : i64, output = 3 : i64, q = 0 : i64, v = 2 : i64}
// CHECK-NOT:     tt.attention %
// CHECK:         scf.for
// CHECK:         tt.yield
// STEP:        tt.launch @attention_0
func.func @eval(%q: tensor<1x4x24x6xf32> {tt.input = "q"}, %k: tensor<1x2x40x6xf32> {tt.input = "k"},
                %v: tensor<1x2x40x6xf32> {tt.input = "v"})
    -> (tensor<1x4x24x6xf32> {tt.output = "o"}, tensor<1x4x24xf32> {tt.output = "lse"}) {
  %o, %lse = tt.attention %q, %k, %v causal scale = 0.5 {block_k = 16 : i64}
      : (tensor<1x4x24x6xf32>, tensor<1x2x40x6xf32>, tensor<1x2x40x6xf32>)
     -> (tensor<1x4x24x6xf32>, tensor<1x4x24xf32>)
  return %o, %lse : tensor<1x4x24x6xf32>, tensor<1x4x24xf32>
}
