//===- SizeCheck.h - What the interpreter can hold --------------*- C++ -*-===//
#ifndef TT_REFERENCE_SIZECHECK_H
#define TT_REFERENCE_SIZECHECK_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <string>

namespace tt::reference {

/// What keeps the interpreter from holding the function's arguments and
/// results: one of more than `maxElements` (see Options), or all together more
/// than this machine's memory. "" if nothing. To be asked before inputs are
/// drawn or read for a user's types.
std::string checkSizes(mlir::FunctionOpInterface function,
                       int64_t maxElements = int64_t(1) << 30);

} // namespace tt::reference

#endif
