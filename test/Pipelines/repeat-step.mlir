// RUN: tt-compile %s --emit=kernels > %t.repeat
// RUN: FileCheck %s < %t.repeat
// RUN: tt-compile %s --emit=memory > %t.repeat-memory
// RUN: tt-compile %S/Inputs/repeat-unrolled.mlir --emit=memory > %t.unrolled-memory
// RUN: diff %t.repeat-memory %t.unrolled-memory

// The slices of the stacked parameters are views, and the layers write their parts
// of the stacked gradients in place: no step copies anything. Kernels, steps and
// addresses are those of the program that is written out by hand, so its bits too.
// CHECK-NOT:   tt.kernel @copy
// CHECK-NOT:   tt.kernel @concat
// CHECK-LABEL: tt.step @train_step
// CHECK-NOT:   tt.launch @copy
// CHECK-NOT:   tt.launch @concat
func.func private @layer(%x: tensor<3x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8xf32>) -> tensor<3x8xf32> {
  %y = tt.linear in_out %x, %w, %b : (tensor<3x8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<3x8xf32>
  %t = tt.gelu tanh %y : tensor<3x8xf32>
  %r = tt.add %x, %t : tensor<3x8xf32>
  return %r : tensor<3x8xf32>
}
func.func @loss(%w: tensor<3x8x8xf32> {tt.param = "w"}, %b: tensor<3x8xf32> {tt.param = "b"}, %x: tensor<3x8xf32> {tt.input = "x"}) -> (tensor<f32> {tt.output = "loss"}) {
  %y = tt.repeat @layer count = 3 carried(%x) stacked(%w, %b) : (tensor<3x8xf32>, tensor<3x8x8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  %s = tt.square %y : tensor<3x8xf32>
  %l = tt.mean %s dims = [0, 1] : (tensor<3x8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
