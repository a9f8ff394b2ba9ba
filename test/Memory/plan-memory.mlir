// RUN: tt-opt %s --tt-plan-memory --split-input-file | FileCheck %s

// Disjoint lives share a place; two that meet in one launch do not; the output
// lives to the end.
// CHECK:         module attributes {tt.memory = {activations = 256 : i64, arena = 256 : i64
// CHECK-LABEL: tt.step @chain
// CHECK-SAME:    arena_bytes = 256
// CHECK:         %[[A:.+]] = tt.buffer arena bytes = 128 {kind = "activation", offset = [[PLACE:.+]] : i64}
// CHECK-NEXT:    tt.buffer arena bytes = 128 {kind = "activation", offset = [[OTHER:.+]] : i64}
// CHECK-NEXT:    tt.buffer arena bytes = 128 {kind = "activation", offset = [[PLACE]] : i64}
tt.kernel @neg(%a: tensor<32xf32>) -> tensor<32xf32> attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  %0 = tt.neg %a : tensor<32xf32>
  tt.yield %0 : tensor<32xf32>
}
tt.step @chain inputs = ["x"] outputs = ["y"] {
  %x = tt.buffer io bytes = 128 {name = "x", tensor = tensor<32xf32>}
  %a = tt.buffer arena bytes = 128 {kind = "activation"}
  %b = tt.buffer arena bytes = 128 {kind = "activation"}
  %c = tt.buffer arena bytes = 128 {kind = "activation"}
  %vx = tt.view %x at 0 : memref<32xf32>
  %va = tt.view %a at 0 : memref<32xf32>
  %vb = tt.view %b at 0 : memref<32xf32>
  %vc = tt.view %c at 0 : memref<32xf32>
  tt.launch @neg reads(%vx : memref<32xf32>) writes(%va : memref<32xf32>)
  tt.launch @neg reads(%va : memref<32xf32>) writes(%vb : memref<32xf32>)
  tt.launch @neg reads(%vb : memref<32xf32>) writes(%vc : memref<32xf32>)
  tt.yield %vc : memref<32xf32>
}

// -----

// A kernel that may write over its argument: the result takes the argument's
// place where that is its last reader, and only there.
// CHECK-LABEL: tt.step @in_place
// CHECK-SAME:    arena_bytes = 256
// CHECK:         tt.buffer arena bytes = 128 {kind = "activation", offset = [[PLACE:.+]] : i64}
// CHECK-NEXT:    tt.buffer arena bytes = 128 {kind = "activation", offset = [[PLACE]] : i64}
// CHECK-NEXT:    tt.buffer arena bytes = 128 {kind = "activation", offset = [[OTHER:.+]] : i64}
tt.kernel @neg(%a: tensor<32xf32>) -> tensor<32xf32> attributes {anchor = "elementwise", numerics = {}, schedule = {}, in_place = [array<i64: 0, 0>]} {
  %0 = tt.neg %a : tensor<32xf32>
  tt.yield %0 : tensor<32xf32>
}
tt.step @in_place inputs = ["x"] outputs = ["y", "z"] {
  %x = tt.buffer io bytes = 128 {name = "x", tensor = tensor<32xf32>}
  %a = tt.buffer arena bytes = 128 {kind = "activation"}
  %b = tt.buffer arena bytes = 128 {kind = "activation"}
  %c = tt.buffer arena bytes = 128 {kind = "activation"}
  %vx = tt.view %x at 0 : memref<32xf32>
  %va = tt.view %a at 0 : memref<32xf32>
  %vb = tt.view %b at 0 : memref<32xf32>
  %vc = tt.view %c at 0 : memref<32xf32>
  tt.launch @neg reads(%vx : memref<32xf32>) writes(%va : memref<32xf32>)
  tt.launch @neg reads(%va : memref<32xf32>) writes(%vb : memref<32xf32>)
  tt.launch @neg reads(%vb : memref<32xf32>) writes(%vc : memref<32xf32>)
  tt.yield %vb, %vc : memref<32xf32>, memref<32xf32>
}

// -----

// A kernel's workspace is a block that lives for its launch; worker_bytes and
// the workspace are in the sizes.
// CHECK:         arena = 192 : i64
// CHECK-SAME:    worker = 128 : i64
// CHECK-SAME:    workspace = 64 : i64
// CHECK-LABEL: tt.step @workspace
// CHECK:         %[[W:.+]] = tt.buffer arena bytes = 64 {kind = "workspace", offset = {{[0-9]+}} : i64}
// CHECK:         tt.launch @work {{.*}} workspace(%[[W]])
tt.kernel @work(%a: tensor<32xf32>) -> tensor<32xf32> attributes {anchor = "column", numerics = {}, schedule = {}, workspace_bytes = 64 : i64, worker_bytes = 100 : i64} {
  %0 = tt.neg %a : tensor<32xf32>
  tt.yield %0 : tensor<32xf32>
}
tt.step @workspace inputs = ["x"] outputs = ["y"] {
  %x = tt.buffer io bytes = 128 {name = "x", tensor = tensor<32xf32>}
  %a = tt.buffer arena bytes = 128 {kind = "activation"}
  %vx = tt.view %x at 0 : memref<32xf32>
  %va = tt.view %a at 0 : memref<32xf32>
  tt.launch @work reads(%vx : memref<32xf32>) writes(%va : memref<32xf32>)
  tt.yield %va : memref<32xf32>
}

// -----

// Steps share parameters, states, equal constants and one arena, whose size is
// that of the largest step. Places of 64 bytes.
// CHECK:         arena = 128 : i64, constants = 64 : i64
// CHECK-SAME:    io = 128 : i64, parameters = 128 : i64, state = 64 : i64
// CHECK-LABEL: tt.step @one
// CHECK:         tt.buffer parameters bytes = 4 {name = "p", offset = 0 : i64
// CHECK:         tt.buffer parameters bytes = 4 {name = "q", offset = 64 : i64
// CHECK:         tt.buffer constant bytes = 4 {name = "constant", offset = 0 : i64
// CHECK-LABEL: tt.step @two
// CHECK:         tt.buffer parameters bytes = 4 {name = "q", offset = 64 : i64
// CHECK:         tt.buffer state bytes = 4 {name = "m", offset = 0 : i64
// CHECK:         tt.buffer constant bytes = 4 {name = "constant", offset = 0 : i64
// CHECK:         tt.buffer io bytes = 4 {name = "x", offset = 0 : i64
// CHECK:         tt.buffer io bytes = 4 {name = "y", offset = 64 : i64
tt.kernel @neg(%a: tensor<f32>) -> tensor<f32> attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  %0 = tt.neg %a : tensor<f32>
  tt.yield %0 : tensor<f32>
}
tt.step @one inputs = [] outputs = ["y"] {
  %p = tt.buffer parameters bytes = 4 {name = "p", tensor = tensor<f32>}
  %q = tt.buffer parameters bytes = 4 {name = "q", tensor = tensor<f32>}
  %c = tt.buffer constant bytes = 4 {name = "constant", value = dense<1.0> : tensor<f32>, tensor = tensor<f32>}
  %a = tt.buffer arena bytes = 128 {kind = "activation"}
  %vc = tt.view %c at 0 : memref<f32>
  %va = tt.view %a at 0 : memref<f32>
  tt.launch @neg reads(%vc : memref<f32>) writes(%va : memref<f32>)
  tt.yield %va : memref<f32>
}
tt.step @two inputs = ["x", "y"] outputs = ["z"] {
  %q = tt.buffer parameters bytes = 4 {name = "q", tensor = tensor<f32>}
  %m = tt.buffer state bytes = 4 {name = "m", tensor = tensor<f32>}
  %c = tt.buffer constant bytes = 4 {name = "constant", value = dense<1.0> : tensor<f32>, tensor = tensor<f32>}
  %x = tt.buffer io bytes = 4 {name = "x", tensor = tensor<f32>}
  %y = tt.buffer io bytes = 4 {name = "y", tensor = tensor<f32>}
  %a = tt.buffer arena bytes = 4 {kind = "activation"}
  %vc = tt.view %c at 0 : memref<f32>
  %va = tt.view %a at 0 : memref<f32>
  tt.launch @neg reads(%vc : memref<f32>) writes(%va : memref<f32>)
  tt.yield %va : memref<f32>
}

// -----

// What a sum of squares reads is counted as gradients at the fullest moment.
// CHECK:         gradients = 64 : i64
// CHECK-LABEL: tt.step @gradients
tt.kernel @neg(%a: tensor<f32>) -> tensor<f32> attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  %0 = tt.neg %a : tensor<f32>
  tt.yield %0 : tensor<f32>
}
tt.step @gradients inputs = ["x"] outputs = ["y"] {
  %x = tt.buffer io bytes = 4 {name = "x", tensor = tensor<f32>}
  %g = tt.buffer arena bytes = 4 {kind = "gradient"}
  %a = tt.buffer arena bytes = 4 {kind = "activation"}
  %vx = tt.view %x at 0 : memref<f32>
  %vg = tt.view %g at 0 : memref<f32>
  %va = tt.view %a at 0 : memref<f32>
  tt.launch @neg reads(%vx : memref<f32>) writes(%vg : memref<f32>)
  tt.launch @neg reads(%vg : memref<f32>) writes(%va : memref<f32>)
  tt.yield %va : memref<f32>
}
