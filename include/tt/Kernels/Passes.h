//===- Passes.h - Passes of the Kernels room --------------------*- C++ -*-===//
#ifndef TT_KERNELS_PASSES_H
#define TT_KERNELS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tt {
#define GEN_PASS_DECL
#include "tt/Kernels/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tt/Kernels/Passes.h.inc"
} // namespace tt

#endif
