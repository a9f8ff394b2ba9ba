//===- Passes.h - Passes of the Remat room ----------------------*- C++ -*-===//
#ifndef TT_REMAT_PASSES_H
#define TT_REMAT_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tt {
#define GEN_PASS_DECL
#include "tt/Remat/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tt/Remat/Passes.h.inc"
} // namespace tt

#endif
