// RUN: tt-plan %s | FileCheck %s --check-prefix=LIST
// RUN: tt-plan %s --why-saved=%%h | FileCheck %s --check-prefix=SAVED
// RUN: tt-plan %s --why-saved=@layer:%%mean | FileCheck %s --check-prefix=PACK
// RUN: tt-plan %s --why-saved=%%wide | FileCheck %s --check-prefix=FREE
// RUN: tt-plan %s --why-saved=%%sum | FileCheck %s --check-prefix=UNREAD
// RUN: tt-plan %s --why-saved=@layer:%%w | FileCheck %s --check-prefix=ARGUMENT
// RUN: tt-plan %s --why-recomputed=%%h --checkpoint=full | FileCheck %s --check-prefix=AGAIN
// RUN: tt-plan %s --why-saved=%%x1 --checkpoint=full | FileCheck %s --check-prefix=CUT
// RUN: not tt-plan %s --why-saved=%%w 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not tt-plan %s --why-saved=%%none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tt-plan %s --checkpoint=some 2>&1 | FileCheck %s --check-prefix=POLICY

// One line per value and function; a value of a layer counts once per call.
// LIST:      @layer, 3 runs of the forward
// LIST:      256 bytes tensor<4x16xf32> tt.linear at {{.*}}why-saved.mlir:{{[0-9]+}}:8; read by tt.gelu_bwd at
// LIST:      @loss, 1 run of the forward
// LIST-COUNT-4: 128 bytes tensor<4x8xf32>
// LIST:      in all 2528 bytes between forward and backward

// SAVED:      %h of @layer at {{.*}}why-saved.mlir:{{[0-9]+}}:8: tt.linear, tensor<4x16xf32>
// SAVED-NEXT: saved: 3 x 256 = 768 bytes
// SAVED-NEXT: read by tt.gelu_bwd at {{.*}}why-saved.mlir:

// PACK:      %mean of @layer at
// PACK-NEXT: saved: 3 x 16 = 48 bytes
// PACK-NEXT: read by tt.layer_norm_bwd at

// FREE: not saved: tt.broadcast costs no memory, so the backward repeats it where it is read

// UNREAD: not saved: no adjoint reads it

// ARGUMENT:      %w of @layer
// ARGUMENT-NEXT: read in the backward, but costs nothing here: an argument, which the caller holds
// ARGUMENT-NEXT: read by tt.linear at

// The last layer stays taped: its adjoint is the next thing that runs.
// AGAIN:      recomputed: 2 of 3 calls run again just before their adjoint, so that 256 bytes live for one call at a time; 1 x 256 = 256 bytes are saved
// AGAIN-NEXT: read by tt.gelu_bwd at

// CUT: saved: 1 x 128 = 128 bytes

// TWO:    why-saved.mlir: error: expected one value, but 2 are called '%w': say which of @layer:%w, @loss:%w
// NONE:   why-saved.mlir: error: expected a value of the graph, such as %x or @layer:%x, but found none called '%none'
// POLICY: error: expected --checkpoint to be none, full or sqrt, but got 'some'

func.func private @layer(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %w: tensor<8x16xf32>, %v: tensor<16x8xf32>) -> tensor<4x8xf32> {
  %n, %mean, %rstd = tt.layer_norm %x, %g eps = 1.0e-5 : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  %h = tt.linear in_out %n, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %a = tt.gelu tanh %h : tensor<4x16xf32>
  %o = tt.linear in_out %a, %v : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %sum = tt.add %x, %o : tensor<4x8xf32>
  return %sum : tensor<4x8xf32>
}

func.func @loss(%in: tensor<4x8xf32> {tt.input = "in"}, %g: tensor<8xf32> {tt.param = "g"}, %w: tensor<8x16xf32> {tt.param = "w"}, %v: tensor<16x8xf32> {tt.param = "v"}, %s: tensor<8xf32> {tt.param = "s"}) -> (tensor<f32> {tt.output = "loss"}) {
  %wide = tt.broadcast %s dims = [1] : tensor<8xf32> -> tensor<4x8xf32>
  %x0 = tt.mul %in, %wide : tensor<4x8xf32>
  %x1 = call @layer(%x0, %g, %w, %v) : (tensor<4x8xf32>, tensor<8xf32>, tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %x2 = call @layer(%x1, %g, %w, %v) : (tensor<4x8xf32>, tensor<8xf32>, tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %x3 = call @layer(%x2, %g, %w, %v) : (tensor<4x8xf32>, tensor<8xf32>, tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %e = tt.square %x3 : tensor<4x8xf32>
  %loss = tt.mean %e dims = [0, 1] : (tensor<4x8xf32>) -> tensor<f32>
  return %loss : tensor<f32>
}
