// RUN: tt-opt %s --split-input-file --verify-diagnostics

// Attributes of arguments.
func.func private @roles(%p: tensor<4xf32> {tt.param = "p", tt.init = "normal:0.02"},
                 %q: tensor<4xf32> {tt.param = "q", tt.frozen, tt.init = "zero"},
                 %i: tensor<4xi32> {tt.input = "tokens", tt.index_limit = 65 : i64,
                                    tt.index_ignore = -100 : i64},
                 %s: tensor<4xf32> {tt.state = "adam.m.p", tt.init = "one"},
                 %u: tensor<4xf32> {tt.param = "u", tt.init = "uniform:0.1"})

// -----

// expected-error @below {{'func.func' op argument 0: expected 'tt.param' to be a non-empty string}}
func.func private @empty_name(%p: tensor<4xf32> {tt.param = ""})

// -----

// expected-error @below {{'func.func' op argument 0: expected 'tt.input' to be a non-empty string}}
func.func private @no_name(%p: tensor<4xf32> {tt.input})

// -----

// expected-error @below {{'func.func' op argument 0: expected 'tt.param' to be a non-empty string in UTF-8 without control characters, but got "a\FFb"}}
func.func private @no_utf8(%p: tensor<4xf32> {tt.param = "a\FFb"})

// -----

// expected-error @below {{'func.func' op argument 0: expected 'tt.state' to be a non-empty string in UTF-8 without control characters, but got "a\00"}}
func.func private @nul(%p: tensor<4xf32> {tt.state = "a\00"})

// -----

// expected-error @below {{'func.func' op argument 0: expected 'tt.param' to be a non-empty string in UTF-8 without control characters, but got "a\0Ab"}}
func.func private @newline(%p: tensor<4xf32> {tt.param = "a\nb"})

// -----

// expected-error @below {{'func.func' op argument 0: expected 'tt.param' to be a non-empty string in UTF-8 without control characters, but got "\C2\9B"}}
func.func private @c1(%p: tensor<4xf32> {tt.param = "\C2\9B"})

// -----

// expected-error @below {{'func.func' op argument 0: expected 'tt.frozen' without a value}}
func.func private @frozen(%p: tensor<4xf32> {tt.param = "p", tt.frozen = true})

// -----

// expected-error @below {{'func.func' op argument 0: expected 'tt.init' to be zero, one, normal:STD or uniform:BOUND, but got "gaussian"}}
func.func private @init(%p: tensor<4xf32> {tt.param = "p", tt.init = "gaussian"})

// -----

// expected-error @below {{'func.func' op argument 0: expected 'tt.init' to be zero, one, normal:STD or uniform:BOUND, but got "normal:-1"}}
func.func private @init_scale(%p: tensor<4xf32> {tt.param = "p", tt.init = "normal:-1"})

// -----

// expected-error @below {{'func.func' op argument 0: expected 'tt.index_limit' to be an integer}}
func.func private @limit(%p: tensor<4xi32> {tt.input = "x", tt.index_limit = "65"})

// -----

// expected-error @below {{'func.func' op argument 0: unknown tt attribute 'tt.parm', did you mean 'tt.param'?}}
func.func private @unknown(%p: tensor<4xf32> {tt.parm = "p"})

// -----

// The place is the argument's.
func.func @place(%p: tensor<4xf32> {tt.param = "block/0/é", tt.init = "one"},
                 // expected-error @below {{'func.func' op argument 1: expected 'tt.init' to be zero, one, normal:STD or uniform:BOUND, but got "tow"}}
                 %q: tensor<4xf32> {tt.param = "q", tt.init = "tow"}) {
  return
}
