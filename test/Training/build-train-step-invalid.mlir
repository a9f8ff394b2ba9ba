// RUN: not tt-opt %s --tt-autodiff --tt-build-train-step=optimizer=sgd 2>&1 | FileCheck %s --check-prefix=OPTIMIZER
// RUN: not tt-opt %s --tt-autodiff --tt-build-train-step=clip-norm=-1 2>&1 | FileCheck %s --check-prefix=CLIP
// RUN: not tt-opt %s --tt-autodiff --tt-build-train-step=clip-norm=inf 2>&1 | FileCheck %s --check-prefix=INFINITE
// RUN: not tt-opt %s --tt-autodiff --tt-build-train-step=decay=biases 2>&1 | FileCheck %s --check-prefix=DECAY
// RUN: not tt-opt %s --tt-autodiff --tt-build-train-step=decay=re:[ 2>&1 | FileCheck %s --check-prefix=REGEX
// RUN: not tt-opt %s --tt-autodiff --tt-build-train-step=beta1=1 2>&1 | FileCheck %s --check-prefix=BETA
// RUN: not tt-opt %s --tt-build-train-step 2>&1 | FileCheck %s --check-prefix=NO-PAIR
// RUN: not tt-opt %s --tt-autodiff --tt-build-train-step --tt-build-train-step 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not tt-opt %s --tt-autodiff --tt-build-train-step=function=missing 2>&1 | FileCheck %s --check-prefix=NAME

// OPTIMIZER: error: expected optimizer to be adamw, but got 'sgd'
// CLIP:      error: expected clip-norm (max_norm) to be finite and not negative, but got -1.000000e+00
// INFINITE:  error: expected clip-norm (max_norm) to be finite and not negative
// DECAY:     error: expected decay to be rank2, all, none or re:REGEX, but got 'biases'
// REGEX:     error: decay: invalid regular expression:
// BETA:      error: {{.*}}expected betas in [0, 1), but got 1.000000e+00
// NO-PAIR:   error: expected a loss with an adjoint pair as left by tt-autodiff
// TWICE:     error: expected no symbol of the name @train_step
// NAME:      error:
func.func @loss(%w: tensor<8x8xf32> {tt.param = "w"}) -> tensor<f32> {
  %l = tt.mean %w dims = [0, 1] : (tensor<8x8xf32>) -> tensor<f32>
  return %l : tensor<f32>
}
