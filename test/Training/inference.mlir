// RUN: tt-opt %s --tt-inference --split-input-file --verify-diagnostics | FileCheck %s

// @eval without dropout, without the key; @logits with the parameters, the
// inputs that logits need and a position. The last layers run on one row.
// CHECK-LABEL: func.func @eval
// CHECK-SAME:    {tt.input = "tokens"}
// CHECK-SAME:    {tt.input = "targets"}
// CHECK-NOT:     "key"
// CHECK-NOT:     tt.dropout
// CHECK:         tt.cross_entropy
// CHECK-LABEL: func.func @logits
// CHECK-SAME:    (%[[IDS:.+]]: tensor<2x4xi32> {tt.input = "tokens"}, %[[TABLE:.+]]: tensor<65x8xf32> {tt.param = "wte"}, %[[G:.+]]: tensor<8xf32> {tt.param = "g"}
// A parameter that the logits do not need stays: entries have one set of them.
// CHECK-SAME:    {tt.param = "scale"}
// CHECK-SAME:    %[[POS:.+]]: tensor<i32> {tt.index_limit = 4 : i64, tt.input = "position"})
// CHECK-SAME:    -> (tensor<2x65xf32> {tt.output = "logits"})
// CHECK-NOT:     targets
// CHECK:         %[[ROW:.+]] = tt.take %{{.+}}, %[[POS]] dim = 1 : (tensor<2x4x8xf32>, tensor<i32>) -> tensor<2x8xf32>
// CHECK-NEXT:    %[[NORM:.+]], %{{.+}} = tt.rms_norm %[[ROW]], %[[G]] {{.*}} -> (tensor<2x8xf32>, tensor<2xf32>)
// CHECK-NEXT:    %[[Z:.+]] = tt.linear out_in %[[NORM]], %[[TABLE]] : (tensor<2x8xf32>, tensor<65x8xf32>) -> tensor<2x65xf32>
// CHECK-NEXT:    return %[[Z]]
func.func @loss(%ids: tensor<2x4xi32> {tt.input = "tokens"}, %t: tensor<2x4xi32> {tt.input = "targets"},
                %key: tensor<2xi32> {tt.input = "key"}, %table: tensor<65x8xf32> {tt.param = "wte"},
                %g: tensor<8xf32> {tt.param = "g"}, %s: tensor<f32> {tt.param = "scale"}) -> tensor<f32> {
  %x = tt.embedding %table, %ids : (tensor<65x8xf32>, tensor<2x4xi32>) -> tensor<2x4x8xf32>
  %d = tt.dropout %x, %key p = 0.1 site = 0 samples = 2 : (tensor<2x4x8xf32>, tensor<2xi32>) -> tensor<2x4x8xf32>
  %y, %r = tt.rms_norm %d, %g eps = 1.0e-5 : (tensor<2x4x8xf32>, tensor<8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4xf32>)
  %z = tt.linear out_in %y, %table : (tensor<2x4x8xf32>, tensor<65x8xf32>) -> tensor<2x4x65xf32>
  %l, %lse = tt.cross_entropy mean %z, %t : (tensor<2x4x65xf32>, tensor<2x4xi32>) -> (tensor<f32>, tensor<2x4xf32>)
  %m = tt.mul %l, %s : tensor<f32>
  return %m : tensor<f32>
}

// -----

// Dropout in a layer: a clone without it, once for all calls; a layer without
// dropout is not cloned.
// CHECK:         func.func private @layer(
// CHECK:         func.func private @plain(
// CHECK-LABEL: func.func @eval
// CHECK:         call @layer_eval(
// CHECK:         call @layer_eval(
// CHECK:         call @plain(
// CHECK:         func.func private @layer_eval(
// CHECK-NOT:     tt.dropout
// CHECK-NOT:     func.func private @layer_eval_
func.func private @layer(%x: tensor<4x8xf32>, %key: tensor<2xi32>) -> tensor<4x8xf32> {
  %d = tt.dropout %x, %key p = 0.1 site = 0 samples = 4 : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  %y = tt.tanh %d : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
func.func private @plain(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = tt.tanh %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
// expected-remark @below {{no tt.cross_entropy with logits of rank 2 or more in @loss: no logits entry is built}}
func.func @loss(%x: tensor<4x8xf32> {tt.param = "x"}, %key: tensor<2xi32> {tt.input = "key"}) -> tensor<f32> {
  %0 = call @layer(%x, %key) : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  %1 = call @layer(%0, %key) : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  %2 = call @plain(%1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %l = tt.mean %2 dims = [0, 1] : (tensor<4x8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// Attention mixes rows, so a position is not taken before it.
// CHECK-LABEL: func.func @logits
// CHECK:         tt.attention
// CHECK:         tt.take
// CHECK-NOT:     dropout_p
// CHECK-NOT:     site
// CHECK:         return
func.func @loss(%q: tensor<1x2x4x8xf32> {tt.param = "q"}, %key: tensor<2xi32> {tt.input = "key"}, %t: tensor<1x2x4xi32> {tt.input = "targets"}) -> tensor<f32> {
  %o, %lse = tt.attention %q, %q, %q key(%key) causal scale = 1.0 {dropout_p = 0.1 : f64, site = 0 : i64} : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<2xi32>) -> (tensor<1x2x4x8xf32>, tensor<1x2x4xf32>)
  %l, %lse2 = tt.cross_entropy mean %o, %t : (tensor<1x2x4x8xf32>, tensor<1x2x4xi32>) -> (tensor<f32>, tensor<1x2x4xf32>)
  return %l : tensor<f32>
}

// -----

// What draws besides dropout stays and draws with the key (0, 0).
// CHECK-LABEL: func.func @eval
// CHECK-NOT:     "key"
// CHECK:         %[[ZEROS:.+]] = tt.constant dense<0> : tensor<2xi32>
// CHECK:         tt.random_uniform %[[ZEROS]] site = 3
func.func @loss(%w: tensor<4x8xf32> {tt.param = "w"}, %t: tensor<4xi32> {tt.input = "targets"}, %key: tensor<2xi32> {tt.input = "key"}) -> tensor<f32> {
  %u = tt.random_uniform %key site = 3 samples = 4 : tensor<2xi32> -> tensor<4x8xf32>
  %z = tt.mul %w, %u : tensor<4x8xf32>
  %d = tt.dropout %z, %key p = 0.1 site = 4 samples = 4 : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<4x8xf32>
  %l, %lse = tt.cross_entropy mean %d, %t : (tensor<4x8xf32>, tensor<4xi32>) -> (tensor<f32>, tensor<4xf32>)
  return %l : tensor<f32>
}

// -----

// expected-error @below {{expected no symbol of the name @eval}}
func.func private @eval()
func.func @loss(%x: tensor<f32> {tt.param = "x"}) -> tensor<f32> {
  return %x : tensor<f32>
}

// -----

// expected-error @below {{expected a definition of @declared to differentiate}}
func.func private @declared(tensor<f32>) -> tensor<f32>
func.func @loss(%x: tensor<f32> {tt.param = "x"}) -> tensor<f32> {
  %y = call @declared(%x) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
