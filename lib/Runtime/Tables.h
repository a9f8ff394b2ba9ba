//===- Tables.h - Checks of a library's tables ------------------*- C++ -*-===//
#ifndef TT_LIB_RUNTIME_TABLES_H
#define TT_LIB_RUNTIME_TABLES_H

#include "tt/runtime/ModelTable.h"

namespace tt::runtime {

/// The address, magic, ABI version and size: every function that takes a
/// model asks this first.
tt_status checkModel(const tt_model_desc *model);

/// Every row, for kernels of level `isa`. Bind asks this once; afterwards the
/// walk trusts the tables.
tt_status checkTables(const tt_model_desc *model, uint32_t isa);

} // namespace tt::runtime

#endif
