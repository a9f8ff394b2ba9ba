//===- Passes.h - Passes of the AD room -------------------------*- C++ -*-===//
#ifndef TT_AD_PASSES_H
#define TT_AD_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tt {
#define GEN_PASS_DECL
#include "tt/AD/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tt/AD/Passes.h.inc"
} // namespace tt

#endif
