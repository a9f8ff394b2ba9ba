//===- Passes.h - Passes of the Training room -------------------*- C++ -*-===//
#ifndef TT_TRAINING_PASSES_H
#define TT_TRAINING_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tt {
#define GEN_PASS_DECL
#include "tt/Training/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tt/Training/Passes.h.inc"
} // namespace tt

#endif
