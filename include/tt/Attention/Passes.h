//===- Passes.h - Passes of the Attention room ------------------*- C++ -*-===//
#ifndef TT_ATTENTION_PASSES_H
#define TT_ATTENTION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tt {
#define GEN_PASS_DECL
#include "tt/Attention/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tt/Attention/Passes.h.inc"
} // namespace tt

#endif
