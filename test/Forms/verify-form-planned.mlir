// RUN: tt-opt %s --tt-verify-form=form=planned --split-input-file --verify-diagnostics

// No sizes.
// expected-error @below {{planned form: expected tt.memory on the module}}
module {
tt.step @s inputs = [] outputs = [] {
  tt.yield
}
}

// -----

// A buffer without a place.
module attributes {tt.memory = {io = 64 : i64}} {
tt.step @s inputs = ["x"] outputs = [] {
  // expected-error @below {{'tt.buffer' op planned form: expected an offset}}
  %x = tt.buffer io bytes = 32 {name = "x"}
  tt.yield
}
}

// -----

// A buffer past the end of its region.
module attributes {tt.memory = {io = 64 : i64}} {
tt.step @s inputs = ["x"] outputs = [] {
  // expected-error @below {{'tt.buffer' op planned form: expected to end inside io of 64 bytes, but it takes 32 bytes at 64}}
  %x = tt.buffer io bytes = 32 {name = "x", offset = 64 : i64}
  tt.yield
}
}

// -----

// A buffer past the end of its step's arena.
module attributes {tt.memory = {io = 64 : i64, arena = 4096 : i64}} {
tt.step @s inputs = [] outputs = [] attributes {arena_bytes = 128 : i64} {
  // expected-error @below {{'tt.buffer' op planned form: expected to end inside arena of 128 bytes, but it takes 65 bytes at 64}}
  %x = tt.buffer arena bytes = 65 {offset = 64 : i64}
  tt.yield
}
}

// -----

// A region without a size.
module attributes {tt.memory = {io = 64 : i64}} {
tt.step @s inputs = [] outputs = [] {
  // expected-error @below {{'tt.buffer' op planned form: expected to end inside parameters of unknown size, but it takes 32 bytes at 0}}
  %x = tt.buffer parameters bytes = 32 {name = "x", offset = 0 : i64}
  tt.yield
}
}

// -----

// A kernel that wants a workspace and gets none.
module attributes {tt.memory = {io = 64 : i64}} {
tt.kernel @neg(%a: tensor<8xf32>) -> tensor<8xf32> attributes {anchor = "elementwise", numerics = {}, schedule = {}, workspace_bytes = 64 : i64} {
  %0 = tt.neg %a : tensor<8xf32>
  tt.yield %0 : tensor<8xf32>
}
tt.step @s inputs = ["x"] outputs = [] {
  %x = tt.buffer io bytes = 32 {name = "x", offset = 0 : i64}
  %v = tt.view %x at 0 : memref<8xf32>
  // expected-error @below {{'tt.launch' op planned form: expected a workspace for @neg}}
  tt.launch @neg reads(%v : memref<8xf32>) writes(%v : memref<8xf32>)
  tt.yield
}
}
