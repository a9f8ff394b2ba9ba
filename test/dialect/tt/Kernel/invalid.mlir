// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.call_kernel (C1): the symbol names a kernel.
func.func @f(%a: tensor<8xf32>) {
  // expected-error @below {{'tt.call_kernel' op expected a tt.kernel of name @f}}
  %c = tt.call_kernel @f(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

// tt.call_kernel (C2): the types are the kernel's.
tt.kernel @neg_0(%a: tensor<8xf32>) -> tensor<8xf32> attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  %c = tt.neg %a : tensor<8xf32>
  tt.yield %c : tensor<8xf32>
}
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{'tt.call_kernel' op expected the kernel's type '(tensor<8xf32>) -> tensor<8xf32>'}}
  %c = tt.call_kernel @neg_0(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// A kernel yields what its type says.
// expected-error @below {{'tt.kernel' op expected tt.yield of types ('tensor<4xf32>'), but got ('tensor<8xf32>')}}
tt.kernel @neg_0(%a: tensor<8xf32>) -> tensor<4xf32> attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  %c = tt.neg %a : tensor<8xf32>
  tt.yield %c : tensor<8xf32>
}

// -----

// A kernel ends in tt.yield.
// expected-error @below {{'tt.kernel' op expected the body to end in tt.yield}}
tt.kernel @nothing() attributes {anchor = "elementwise", numerics = {}, schedule = {}} {
  tt.constant dense<1.0> : tensor<8xf32>
}

// -----

// A kernel has a body.
// expected-error @below {{'tt.kernel' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
tt.kernel @declared(tensor<8xf32>) -> tensor<8xf32> attributes {anchor = "elementwise", numerics = {}, schedule = {}}

// -----

// tt.buffer (C1): bytes are not negative.
tt.step @s inputs = [] outputs = [] {
  // expected-error @below {{'tt.buffer' op expected bytes and offset of at least 0 and the offset a multiple of 64}}
  %0 = tt.buffer arena bytes = -64
  tt.yield
}

// -----

// tt.buffer (C1): the offset is a multiple of 64.
tt.step @s inputs = [] outputs = [] {
  // expected-error @below {{'tt.buffer' op expected bytes and offset of at least 0 and the offset a multiple of 64}}
  %0 = tt.buffer arena bytes = 64 {offset = 32 : i64}
  tt.yield
}

// -----

// tt.buffer (C2): a name outside the arena.
tt.step @s inputs = [] outputs = [] {
  // expected-error @below {{'tt.buffer' op expected a name for a buffer of region parameters}}
  %0 = tt.buffer parameters bytes = 64
  tt.yield
}

// -----

// tt.view (C1): inside its root.
tt.step @s inputs = [] outputs = [] {
  %0 = tt.buffer arena bytes = 64
  // expected-error @below {{'tt.view' op expected the view to end inside its root, but it ends at byte 68}}
  %1 = tt.view %0 at 36 : memref<8xf32>
  tt.yield
}

// -----

// tt.view (C1): strides count.
tt.step @s inputs = [] outputs = [] {
  %0 = tt.buffer arena bytes = 64
  // expected-error @below {{'tt.view' op expected the view to end inside its root, but it ends at byte 88}}
  %1 = tt.view %0 at 0 : memref<8xf32, strided<[3]>>
  tt.yield
}

// -----

// tt.view (C1): no negative start.
tt.step @s inputs = [] outputs = [] {
  %0 = tt.buffer arena bytes = 64
  // expected-error @below {{'tt.view' op expected the view to end inside its root, but it ends at byte 28}}
  %1 = tt.view %0 at -4 : memref<8xf32>
  tt.yield
}

// -----

// The offset of a view is its own attribute.
tt.step @s inputs = [] outputs = [] {
  %0 = tt.buffer arena bytes = 64
  // expected-error @below {{'tt.view' op expected static strides and offset 0, but got 'memref<4xf32, strided<[1], offset: 4>>'}}
  %1 = tt.view %0 at 0 : memref<4xf32, strided<[1], offset: 4>>
  tt.yield
}
