//===- Passes.h - Passes of the Forms room ----------------------*- C++ -*-===//
#ifndef TT_FORMS_PASSES_H
#define TT_FORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tt {
#define GEN_PASS_DECL
#include "tt/Forms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "tt/Forms/Passes.h.inc"
} // namespace tt

#endif
