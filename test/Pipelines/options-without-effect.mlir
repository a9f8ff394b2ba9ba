// An option that does nothing for this graph is named, with the reason. One that does
// nothing beside another option is an error: test/Integration/Compile/bad_input_test.py.
// RUN: tt-compile %s --emit=kernels --checkpoint=full --loss-chunks=4 --decay=re:^bias 2>&1 >/dev/null | FileCheck %s --check-prefix=GRAPH
// RUN: tt-compile %s --emit=kernels --decay=all --weight-decay=0.2 --checkpoint=none --loss-chunks=0 2>&1 >/dev/null | count 1
// RUN: tt-plan %s --checkpoint=full 2>&1 >/dev/null | FileCheck %s --check-prefix=PLAN

// GRAPH-DAG: warning: --checkpoint has no effect: {{.*}}options-without-effect.mlir:12:1: nothing to recompute: expected at least two calls of layers in @loss, found 0
// GRAPH-DAG: warning: --loss-chunks has no effect: {{.*}}options-without-effect.mlir: nothing to chunk: expected a tt.cross_entropy, found none
// GRAPH-DAG: warning: --decay has no effect: {{.*}}: nothing decays: expected a parameter whose name matches re:^bias, found none among 1
// PLAN:      warning: --checkpoint has no effect: {{.*}}found 0

func.func @loss(%w: tensor<4x3xf32> {tt.param = "w"}, %x: tensor<2x4xf32> {tt.input = "x"}) -> (tensor<f32> {tt.output = "loss"}) {
  %y = tt.linear in_out %x, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %l = tt.mean %y dims = [0, 1] : (tensor<2x3xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
