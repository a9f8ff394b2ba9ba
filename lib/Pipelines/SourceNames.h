//===- SourceNames.h - The names that values have in the source -*- C++ -*-===//
#ifndef TT_LIB_PIPELINES_SOURCENAMES_H
#define TT_LIB_PIPELINES_SOURCENAMES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace tt {

/// A value of a function as the user wrote it.
struct NamedValue {
  std::string function; // without @
  std::string name;     // with %
  mlir::Location location;
  unsigned result = 0;  // of its op
  bool isArgument = false;
  unsigned argument = 0;
};

/// All values of all functions of `module`, which was parsed from `text`. MLIR
/// forgets names; they are read again at the places of ops and arguments.
std::vector<NamedValue> namedValues(mlir::ModuleOp module, llvm::StringRef text);

} // namespace tt

#endif
