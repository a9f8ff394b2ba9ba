// RUN: tt-opt %s --split-input-file --verify-diagnostics

// tt.layer_norm (C1): the input has a dimension.
func.func @layer_norm_rank(%x: tensor<f32>, %g: tensor<1xf32>) {
  // expected-error @below {{'tt.layer_norm' op expected an input of rank 1 or more, but got 'tensor<f32>'}}
  // expected-error @below {{'tt.layer_norm' op failed to infer returned types}}
  %y, %m, %r = tt.layer_norm %x, %g eps = 1.0e-5 : (tensor<f32>, tensor<1xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>)
  return
}

// -----

// tt.layer_norm (C2): gamma has the size of the last dimension.
func.func @layer_norm_gamma(%x: tensor<4x8xf32>, %g: tensor<4xf32>) {
  // expected-error @below {{'tt.layer_norm' op expected gamma of shape [8] and type 'f32' to match input, but got 'tensor<4xf32>'}}
  // expected-error @below {{'tt.layer_norm' op failed to infer returned types}}
  %y, %m, %r = tt.layer_norm %x, %g eps = 1.0e-5 : (tensor<4x8xf32>, tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// tt.layer_norm (C2): beta has the input's element type.
func.func @layer_norm_beta(%x: tensor<4x8xbf16>, %g: tensor<8xbf16>, %b: tensor<8xf32>) {
  // expected-error @below {{'tt.layer_norm' op expected beta of shape [8] and type 'bf16' to match input, but got 'tensor<8xf32>'}}
  // expected-error @below {{'tt.layer_norm' op failed to infer returned types}}
  %y, %m, %r = tt.layer_norm %x, %g, %b eps = 1.0e-5 : (tensor<4x8xbf16>, tensor<8xbf16>, tensor<8xf32>) -> (tensor<4x8xbf16>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// tt.layer_norm (C3): eps is positive.
func.func @layer_norm_eps(%x: tensor<4x8xf32>, %g: tensor<8xf32>) {
  // expected-error @below {{'tt.layer_norm' op expected a positive eps, but got 0.000000}}
  // expected-error @below {{'tt.layer_norm' op failed to infer returned types}}
  %y, %m, %r = tt.layer_norm %x, %g eps = 0.0 : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// tt.layer_norm_bwd has the constraints of tt.layer_norm.
func.func @layer_norm_bwd_gamma(%x: tensor<4x8xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>) {
  // expected-error @below {{'tt.layer_norm_bwd' op expected gamma of shape [8] and type 'f32' to match input, but got 'tensor<4xf32>'}}
  // expected-error @below {{'tt.layer_norm_bwd' op failed to infer returned types}}
  %dx = tt.layer_norm_bwd %x, %g, %m, %m, %x : (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// tt.layer_norm_bwd: one mean per row.
func.func @layer_norm_bwd_mean(%x: tensor<4x8xf32>, %g: tensor<8xf32>) {
  // expected-error @below {{'tt.layer_norm_bwd' op expected mean and rstd of type 'tensor<4xf32>' and a d_output of type 'tensor<4x8xf32>'}}
  // expected-error @below {{'tt.layer_norm_bwd' op failed to infer returned types}}
  %dx = tt.layer_norm_bwd %x, %g, %g, %g, %x : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// tt.rms_norm (C1): the input has a dimension.
func.func @rms_norm_rank(%x: tensor<f32>, %g: tensor<1xf32>) {
  // expected-error @below {{'tt.rms_norm' op expected an input of rank 1 or more, but got 'tensor<f32>'}}
  // expected-error @below {{'tt.rms_norm' op failed to infer returned types}}
  %y, %r = tt.rms_norm %x, %g eps = 1.0e-5 : (tensor<f32>, tensor<1xf32>) -> (tensor<f32>, tensor<f32>)
  return
}

// -----

// tt.rms_norm (C2): gamma has rank 1.
func.func @rms_norm_gamma(%x: tensor<4x8xf32>, %g: tensor<1x8xf32>) {
  // expected-error @below {{'tt.rms_norm' op expected gamma of shape [8] and type 'f32' to match input, but got 'tensor<1x8xf32>'}}
  // expected-error @below {{'tt.rms_norm' op failed to infer returned types}}
  %y, %r = tt.rms_norm %x, %g eps = 1.0e-5 : (tensor<4x8xf32>, tensor<1x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>)
  return
}

// -----

// tt.rms_norm (C3): eps is positive.
func.func @rms_norm_eps(%x: tensor<4x8xf32>, %g: tensor<8xf32>) {
  // expected-error @below {{'tt.rms_norm' op expected a positive eps, but got -0.000010}}
  // expected-error @below {{'tt.rms_norm' op failed to infer returned types}}
  %y, %r = tt.rms_norm %x, %g eps = -1.0e-5 : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>)
  return
}

// -----

// tt.rms_norm_bwd has the constraints of tt.rms_norm.
func.func @rms_norm_bwd_gamma(%x: tensor<4x8xf32>, %g: tensor<4xf32>) {
  // expected-error @below {{'tt.rms_norm_bwd' op expected gamma of shape [8] and type 'f32' to match input, but got 'tensor<4xf32>'}}
  // expected-error @below {{'tt.rms_norm_bwd' op failed to infer returned types}}
  %dx = tt.rms_norm_bwd %x, %g, %g, %x : (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

// tt.rms_norm_bwd: d_output has the input's type.
func.func @rms_norm_bwd_d_output(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %r: tensor<4xf32>) {
  // expected-error @below {{'tt.rms_norm_bwd' op expected rstd of type 'tensor<4xf32>' and a d_output of type 'tensor<4x8xf32>'}}
  // expected-error @below {{'tt.rms_norm_bwd' op failed to infer returned types}}
  %dx = tt.rms_norm_bwd %x, %g, %r, %r : (tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

// tt.group_norm (C1): there are channels.
func.func @group_norm_rank(%x: tensor<6xf32>, %g: tensor<6xf32>) {
  // expected-error @below {{'tt.group_norm' op expected an input of rank 2 or more, but got 'tensor<6xf32>'}}
  // expected-error @below {{'tt.group_norm' op failed to infer returned types}}
  %y, %m, %r = tt.group_norm %x, %g groups = 2 eps = 1.0e-5 : (tensor<6xf32>, tensor<6xf32>) -> (tensor<6xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  return
}

// -----

// tt.group_norm (C2): groups divide the channels.
func.func @group_norm_groups(%x: tensor<2x6x3xf32>, %g: tensor<6xf32>) {
  // expected-error @below {{'tt.group_norm' op expected groups to divide the 6 channels, but got 4}}
  // expected-error @below {{'tt.group_norm' op failed to infer returned types}}
  %y, %m, %r = tt.group_norm %x, %g groups = 4 eps = 1.0e-5 : (tensor<2x6x3xf32>, tensor<6xf32>) -> (tensor<2x6x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  return
}

// -----

// tt.group_norm (C3): gamma per channel.
func.func @group_norm_gamma(%x: tensor<2x6x3xf32>, %g: tensor<3xf32>) {
  // expected-error @below {{'tt.group_norm' op expected gamma of shape [6] and type 'f32' to match input, but got 'tensor<3xf32>'}}
  // expected-error @below {{'tt.group_norm' op failed to infer returned types}}
  %y, %m, %r = tt.group_norm %x, %g groups = 2 eps = 1.0e-5 : (tensor<2x6x3xf32>, tensor<3xf32>) -> (tensor<2x6x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  return
}

// -----

// tt.group_norm (C4): eps is positive.
func.func @group_norm_eps(%x: tensor<2x6x3xf32>, %g: tensor<6xf32>) {
  // expected-error @below {{'tt.group_norm' op expected a positive eps, but got 0.000000}}
  // expected-error @below {{'tt.group_norm' op failed to infer returned types}}
  %y, %m, %r = tt.group_norm %x, %g groups = 2 eps = 0.0 : (tensor<2x6x3xf32>, tensor<6xf32>) -> (tensor<2x6x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  return
}

// -----

// tt.layer_norm (C3): rstd is formed in f32, which must hold eps and 1/eps.
func.func @layer_norm_tiny_eps(%x: tensor<4x8xf32>, %g: tensor<8xf32>) {
  // expected-error @below {{'tt.layer_norm' op expected an eps that is a normal number of 'f32', in which rstd is computed, but got 1.00e-60}}
  // expected-error @below {{'tt.layer_norm' op failed to infer returned types}}
  %y, %m, %r = tt.layer_norm %x, %g eps = 1.0e-60 : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

// tt.rms_norm (C3): rstd is formed in f32, which must hold eps and 1/eps.
func.func @rms_norm_tiny_eps(%x: tensor<4x8xf32>, %g: tensor<8xf32>) {
  // expected-error @below {{'tt.rms_norm' op expected an eps that is a normal number of 'f32', in which rstd is computed, but got 1.00e-60}}
  // expected-error @below {{'tt.rms_norm' op failed to infer returned types}}
  %y, %r = tt.rms_norm %x, %g eps = 1.0e-60 : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>)
  return
}

// -----

// tt.group_norm (C4): rstd is formed in f32, which must hold eps and 1/eps.
func.func @group_norm_tiny_eps(%x: tensor<4x8x5xf32>, %g: tensor<8xf32>) {
  // expected-error @below {{'tt.group_norm' op expected an eps that is a normal number of 'f32', in which rstd is computed, but got 1.00e-60}}
  // expected-error @below {{'tt.group_norm' op failed to infer returned types}}
  %y, %m, %r = tt.group_norm %x, %g groups = 2 eps = 1.0e-60 : (tensor<4x8x5xf32>, tensor<8xf32>) -> (tensor<4x8x5xf32>, tensor<4x2xf32>, tensor<4x2xf32>)
  return
}

// -----

// A subnormal eps has a square root whose inverse has no square.
func.func @layer_norm_subnormal_eps(%x: tensor<4x8xbf16>, %g: tensor<8xbf16>) {
  // expected-error @below {{'tt.layer_norm' op expected an eps that is a normal number of 'f32', in which rstd is computed, but got 1.00e-39}}
  // expected-error @below {{'tt.layer_norm' op failed to infer returned types}}
  %y, %m, %r = tt.layer_norm %x, %g eps = 1.0e-39 : (tensor<4x8xbf16>, tensor<8xbf16>) -> (tensor<4x8xbf16>, tensor<4xf32>, tensor<4xf32>)
  return
}
