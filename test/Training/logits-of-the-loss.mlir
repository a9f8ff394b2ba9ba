// RUN: tt-opt %s --tt-inference | FileCheck %s

// A metric has a cross-entropy of its own, later in the function: the logits are those
// of the loss.
// CHECK-LABEL: func.func @logits(
// CHECK-SAME:    -> (tensor<4xf32> {tt.output = "logits"})
func.func @loss(%w: tensor<8x4xf32> {tt.param = "w"}, %v: tensor<8x7xf32> {tt.param = "v"},
                %x: tensor<6x8xf32> {tt.input = "x"}, %t: tensor<6xi32> {tt.input = "t"})
    -> (tensor<f32> {tt.output = "loss"}, tensor<f32> {tt.output = "other"}) {
  %z = tt.linear in_out %x, %w : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<6x4xf32>, tensor<6xi32>) -> (tensor<f32>, tensor<6xf32>)
  %y = tt.linear in_out %x, %v : (tensor<6x8xf32>, tensor<8x7xf32>) -> tensor<6x7xf32>
  %m, %ls = tt.cross_entropy mean %y, %t : (tensor<6x7xf32>, tensor<6xi32>) -> (tensor<f32>, tensor<6xf32>)
  return %l, %m : tensor<f32>, tensor<f32>
}
