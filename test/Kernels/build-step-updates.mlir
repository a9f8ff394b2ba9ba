// RUN: tt-opt %s --tt-form-kernels --tt-build-step=entries=f --split-input-file | FileCheck %s

// An update is written over the old value by the kernel that makes it.
// CHECK-LABEL: tt.step @f
// CHECK:         %[[G:.+]] = tt.buffer io bytes = 32 {name = "g"
// CHECK:         %[[P:.+]] = tt.buffer parameters bytes = 32 {name = "p"
// CHECK:         %[[OLD:.+]] = tt.view %[[P]] at 0
// CHECK:         %[[NEW:.+]] = tt.view %[[P]] at 0
// CHECK-NEXT:    tt.launch @sub_0 reads(%[[OLD]], {{.*}}) writes(%[[NEW]]
// CHECK-NOT:     tt.launch
// CHECK:         tt.yield
func.func @f(%p: tensor<8xf32> {tt.param = "p"}, %g: tensor<8xf32> {tt.input = "g"}) -> (tensor<8xf32> {tt.updates = "p"}) {
  %n = tt.sub %p, %g : tensor<8xf32>
  return %n : tensor<8xf32>
}

// -----

// A kernel that reads the old value across elements cannot: the new value is
// copied at the end, after the last reader.
// CHECK-LABEL: tt.step @f
// CHECK:         %[[TMP:.+]] = tt.buffer arena bytes = 256
// CHECK:         %[[P:.+]] = tt.buffer parameters bytes = 256
// CHECK:         tt.launch @matmul_0
// CHECK:         %[[FROM:.+]] = tt.view %[[TMP]]
// CHECK-NEXT:    %[[TO:.+]] = tt.view %[[P]]
// CHECK-NEXT:    tt.launch @copy_{{[0-9]+}} reads(%[[FROM]] {{.*}} writes(%[[TO]]
func.func @f(%p: tensor<8x8xf32> {tt.param = "p"}) -> (tensor<8x8xf32> {tt.updates = "p"}) {
  %n = tt.matmul %p, %p : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %n : tensor<8x8xf32>
}

// -----

// An update that is the old value is no launch.
// CHECK-LABEL: tt.step @f
// CHECK-NOT:     tt.launch
// CHECK:         tt.yield
func.func @f(%p: tensor<8xf32> {tt.param = "p"}) -> (tensor<8xf32> {tt.updates = "p"}) {
  return %p : tensor<8xf32>
}

// -----

// What sum_squares reads is a gradient, other values are activations.
// CHECK-LABEL: tt.step @f
// CHECK-DAG:     tt.buffer arena bytes = 8 {kind = "activation"}
// CHECK-DAG:     tt.buffer arena bytes = 32 {kind = "gradient"}
func.func @f(%x: tensor<8xf32> {tt.input = "x"}) -> (tensor<f64> {tt.output = "norm"}) {
  %g = tt.square %x : tensor<8xf32>
  %n = tt.sum_squares %g : tensor<8xf32> -> tensor<f64>
  return %n : tensor<f64>
}

// -----

// Calls are flattened; equal layers launch one kernel; a constant is a buffer
// of the constant region. Kernels that nothing launches are removed.
// CHECK:         tt.kernel @tanh_{{[0-9]+}}(
// CHECK-NOT:     tt.kernel @exp_
// CHECK-LABEL: tt.step @f inputs = ["x"] outputs = ["y", "output1"]
// CHECK:         tt.buffer constant bytes = 16 {name = "constant"{{.*}}value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
// CHECK-COUNT-2: tt.launch @tanh_
// CHECK:         tt.yield
// CHECK-NOT:     func.func
func.func private @layer(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = tt.tanh %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func private @unused(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = tt.exp %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
func.func @f(%x: tensor<8xf32> {tt.input = "x"}) -> (tensor<8xf32> {tt.output = "y"}, tensor<4xf32>) {
  %0 = call @layer(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @layer(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %c = tt.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %1, %c : tensor<8xf32>, tensor<4xf32>
}

// -----

// The old value read through a transposing view cannot be overwritten by the
// same kernel.
// CHECK-LABEL: tt.step @f
// CHECK:         %[[TMP:.+]] = tt.buffer arena bytes = 256
// CHECK:         %[[NEW:.+]] = tt.view %[[TMP]]
// CHECK-NEXT:    tt.launch @neg_0_v1 reads({{.*}}) writes(%[[NEW]]
// CHECK:         tt.launch @copy_
func.func @f(%p: tensor<8x8xf32> {tt.param = "p"}) -> (tensor<8x8xf32> {tt.updates = "p"}) {
  %t = tt.transpose %p permutation = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %n = tt.neg %t : tensor<8x8xf32>
  return %n : tensor<8x8xf32>
}

// -----

// An old value that is returned as well, as it is or through a view, is copied
// before the update.
// CHECK-LABEL: tt.step @f
// CHECK:         %[[P:.+]] = tt.buffer parameters bytes = 4 {name = "p"
// CHECK:         tt.launch @copy_
// CHECK:         tt.launch @copy_
// CHECK:         %[[OLD:.+]] = tt.view %[[P]] at 0
// CHECK:         %[[NEW:.+]] = tt.view %[[P]] at 0
// CHECK-NEXT:    tt.launch @neg_0 reads(%[[OLD]]{{.*}} writes(%[[NEW]]
// CHECK-NOT:     tt.launch
// CHECK:         tt.yield
func.func @f(%p: tensor<1x1xf32> {tt.param = "p"}) -> (tensor<f32> {tt.output = "loss"}, tensor<1x1xf32> {tt.output = "old"}, tensor<1x1xf32> {tt.updates = "p"}) {
  %l = tt.reshape %p : tensor<1x1xf32> -> tensor<f32>
  %n = tt.neg %p : tensor<1x1xf32>
  return %l, %p, %n : tensor<f32>, tensor<1x1xf32>, tensor<1x1xf32>
}
