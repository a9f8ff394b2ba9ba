// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

// CHECK-LABEL: func.func @layer_norm
func.func @layer_norm(%x: tensor<4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>, %d: tensor<4x8xf32>) {
  // CHECK: tt.layer_norm %{{.+}}, %{{.+}}, %{{.+}} eps = 1.000000e-05 : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  %y, %mean, %rstd = tt.layer_norm %x, %g, %b eps = 1.000000e-05 : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: tt.layer_norm %{{.+}}, %{{.+}} eps = 1.000000e-05 : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  %y2, %mean2, %rstd2 = tt.layer_norm %x, %g eps = 1.000000e-05 : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  // CHECK: tt.layer_norm_bwd %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : (tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %dx = tt.layer_norm_bwd %x, %g, %mean, %rstd, %d : (tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// Statistics of 16-bit input are f32, those of f64 input f64.
// CHECK-LABEL: func.func @rms_norm
func.func @rms_norm(%x: tensor<2x4x8xbf16>, %g: tensor<8xbf16>, %z: tensor<8xf64>, %d: tensor<2x4x8xbf16>) {
  // CHECK: tt.rms_norm %{{.+}}, %{{.+}} eps = 1.000000e-05 : (tensor<2x4x8xbf16>, tensor<8xbf16>) -> (tensor<2x4x8xbf16>, tensor<2x4xf32>)
  %y, %rstd = tt.rms_norm %x, %g eps = 1.000000e-05 : (tensor<2x4x8xbf16>, tensor<8xbf16>) -> (tensor<2x4x8xbf16>, tensor<2x4xf32>)
  // CHECK: tt.rms_norm_bwd %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} : (tensor<2x4x8xbf16>, tensor<8xbf16>, tensor<2x4xf32>, tensor<2x4x8xbf16>) -> tensor<2x4x8xbf16>
  %dx = tt.rms_norm_bwd %x, %g, %rstd, %d : (tensor<2x4x8xbf16>, tensor<8xbf16>, tensor<2x4xf32>, tensor<2x4x8xbf16>) -> tensor<2x4x8xbf16>
  // CHECK: tt.rms_norm %{{.+}}, %{{.+}} eps = 1.000000e-05 : (tensor<8xf64>, tensor<8xf64>) -> (tensor<8xf64>, tensor<f64>)
  %y2, %rstd2 = tt.rms_norm %z, %z eps = 1.000000e-05 : (tensor<8xf64>, tensor<8xf64>) -> (tensor<8xf64>, tensor<f64>)
  return
}

// CHECK-LABEL: func.func @unit_offset
func.func @unit_offset(%x: tensor<4x8xf32>, %g: tensor<8xf32>) {
  // CHECK: tt.rms_norm %{{.+}}, %{{.+}} eps = 1.000000e-05 unit_offset : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>)
  %y, %rstd = tt.rms_norm %x, %g eps = 1.0e-5 unit_offset : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>)
  // CHECK: tt.rms_norm_bwd %{{.+}}, %{{.+}}, %{{.+}}, %{{.+}} unit_offset : (tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %dx = tt.rms_norm_bwd %x, %g, %rstd, %y unit_offset : (tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK-LABEL: func.func @group_norm
func.func @group_norm(%x: tensor<4x8x5xbf16>, %g: tensor<8xbf16>) {
  // CHECK: tt.group_norm %{{.+}}, %{{.+}}, %{{.+}} groups = 2 eps = 1.000000e-05 : (tensor<4x8x5xbf16>, tensor<8xbf16>, tensor<8xbf16>) -> (tensor<4x8x5xbf16>, tensor<4x2xf32>, tensor<4x2xf32>)
  %y, %mean, %rstd = tt.group_norm %x, %g, %g groups = 2 eps = 1.0e-5 : (tensor<4x8x5xbf16>, tensor<8xbf16>, tensor<8xbf16>) -> (tensor<4x8x5xbf16>, tensor<4x2xf32>, tensor<4x2xf32>)
  // CHECK: tt.group_norm %{{.+}}, %{{.+}} groups = 8 eps = 1.000000e-05 : (tensor<4x8x5xbf16>, tensor<8xbf16>) -> (tensor<4x8x5xbf16>, tensor<4x8xf32>, tensor<4x8xf32>)
  %y2, %mean2, %rstd2 = tt.group_norm %x, %g groups = 8 eps = 1.0e-5 : (tensor<4x8x5xbf16>, tensor<8xbf16>) -> (tensor<4x8x5xbf16>, tensor<4x8xf32>, tensor<4x8xf32>)
  return
}
