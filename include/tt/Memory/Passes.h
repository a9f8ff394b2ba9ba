//===- Passes.h - Passes of the Memory room ---------------------*- C++ -*-===//
#ifndef TT_MEMORY_PASSES_H
#define TT_MEMORY_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tt {
#define GEN_PASS_DECL
#include "tt/Memory/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tt/Memory/Passes.h.inc"
} // namespace tt

#endif
